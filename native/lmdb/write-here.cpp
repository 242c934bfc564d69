
// The end of writer.cpp in the build of native/lmdb: `writeTransaction(address, callback)` writes and syncs the open
// write transaction of an environment on a thread of the pool, and calls back with an error or without one; then
// `commitTxn` ends it, or `abortTxn` after an error. Until then nothing may use the transaction. Returns false, and does
// not call back, if the transaction has changed nothing.

struct TransactionWrite {
	EnvWrap* ew;
	napi_async_work work;
	napi_ref callback;
	int rc;
};

static void write_transaction(napi_env env, void* data) {
	auto write = (TransactionWrite*) data;
	write->rc = mdb_txn_write(write->ew->writeTxn->txn);
}

static void transaction_written(napi_env env, napi_status status, void* data) {
	auto write = (TransactionWrite*) data;
	napi_value callback, message, receiver, result;
	napi_value error[1];
	if (status == napi_cancelled) write->rc = ECANCELED;
	if (write->rc == 0) write->ew->writeTxn->flags |= TXN_WRITTEN;
	napi_get_undefined(env, &receiver);
	error[0] = receiver;
	if (write->rc != 0) {
		napi_create_string_utf8(env, mdb_strerror(write->rc), NAPI_AUTO_LENGTH, &message);
		napi_create_error(env, nullptr, message, &error[0]);
	}
	napi_get_reference_value(env, write->callback, &callback);
	napi_delete_reference(env, write->callback);
	napi_delete_async_work(env, write->work);
	delete write;
	napi_call_function(env, receiver, callback, 1, error, &result);
}

NAPI_FUNCTION(writeTransaction) {
	ARGS(2)
	GET_INT64_ARG(0);
	EnvWrap* ew = (EnvWrap*) i64;
	if (!ew->env || !ew->writeTxn || ew->writeTxn->parent) THROW_ERROR("No write transaction to write")
	bool hasChanges = mdb_txn_has_changes(ew->writeTxn->txn);
	if (hasChanges) {
		auto write = new TransactionWrite{ew, nullptr, nullptr, 0};
		napi_value name;
		napi_create_string_latin1(env, "commit", NAPI_AUTO_LENGTH, &name);
		napi_create_reference(env, args[1], 1, &write->callback);
		napi_create_async_work(env, nullptr, name, write_transaction, transaction_written, write, &write->work);
		napi_queue_async_work(env, write->work);
	}
	napi_get_boolean(env, hasChanges, &returnValue);
	return returnValue;
}
