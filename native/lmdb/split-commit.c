
/* The end of mdb.c in the build of native/lmdb: a commit whose slow part another thread does. The thread that has begun
 * a write transaction must end it, since the write lock is a robust mutex; but writing and syncing the pages, and
 * writing the meta page, touch no lock. */

int
mdb_txn_try_begin(MDB_env *env, MDB_txn **ret)
{
	int rc;
	mdb_try_wmutex = 1;
	rc = mdb_txn_begin(env, NULL, 0, ret);
	mdb_try_wmutex = 0;
	return rc;
}

int
mdb_txn_has_changes(MDB_txn *txn)
{
	return txn->mt_u.dirty_list[0].mid || (txn->mt_flags & (MDB_TXN_DIRTY | MDB_TXN_SPILLS));
}

int
mdb_txn_write(MDB_txn *txn)
{
	return mdb_txn_commit0(txn, MDB_COMMIT_WRITE);
}

int
mdb_txn_finish(MDB_txn *txn)
{
	return mdb_txn_commit0(txn, MDB_COMMIT_END);
}
