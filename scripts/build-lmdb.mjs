// `node scripts/build-lmdb.mjs [ARCHITECTURE...]`: builds the package `lmdb` from its own sources with repairs and
// additions, for Linux with glibc, into native/lmdb/prebuilds, from where the service loads it. A person runs it,
// when the version of the package changes. It needs a compiler for C and C++, Python and Node's headers; for arm64 on
// another machine it needs Debian's g++-aarch64-linux-gnu. native/lmdb/repairs.md has the reasons and the report.

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { install, root } from './prepare.mjs'

/** The triple in the names of Debian's tools for each architecture. */
const TRIPLES = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }

const MDB = 'dependencies/lmdb/libraries/liblmdb/mdb.c'

/** Changes of the sources. The build ends with an error if one of the strings is not there. */
const REPAIRS = [
  {
    file: MDB,
    name: 'an opener stores the number of a state (ITS#9496) only if there is none',
    from: 'if (env->me_txns)\n\t\tenv->me_txns->mti_txnid = meta.mm_txnid;\n\n#if MDB_DEBUG',
    to: 'if (env->me_txns)\n\t\t__sync_bool_compare_and_swap(&env->me_txns->mti_txnid, 0, meta.mm_txnid);\n\n#if MDB_DEBUG',
  },
  {
    file: MDB,
    name: 'the last closer leaves the mutexes to an opener that waits (ITS#9278); Linux need not destroy them',
    from: '#elif defined(MDB_ROBUST_SUPPORTED)\n\t\t/* If we have the filelock:',
    to: '#elif defined(MDB_ROBUST_SUPPORTED) && !defined(__linux__)\n\t\t/* If we have the filelock:',
  },
  {
    file: MDB,
    name: 'rows of readers with the id of this process, which has not begun to read, are looked at: they may be of a dead process',
    from: 'if (pid && pid != env->me_pid) {\n\t\t\tif (mdb_pid_insert',
    to: 'if (pid && (pid != env->me_pid || !env->me_live_reader)) {\n\t\t\tif (mdb_pid_insert',
  },
  {
    file: MDB,
    name: 'the end of the list of free pages never goes back, also if a reader shows an old number for a moment',
    from: '\t\t\t\toldest = mdb_find_oldest(txn);\n\t\t\t\tenv->me_pgoldest = oldest;',
    to:
      '\t\t\t\toldest = mdb_find_oldest(txn);\n' +
      '\t\t\t\tif (oldest < env->me_freelist_end) oldest = env->me_freelist_end;\n' +
      '\t\t\t\tenv->me_pgoldest = oldest;',
  },
  {
    file: MDB,
    name: 'a write that fails is an error of its commit, and not printed too, among the lines of a log',
    from: '\t\t\t\t\t\tfprintf(stderr, "Write error: %s position %u, size %u", strerror(rc), wpos, wsize);\n',
    to: '',
  },
  {
    file: MDB,
    name: 'the write lock can be tried for',
    from: '\t\t\tif (LOCK_MUTEX(rc, env, env->me_wmutex))\n\t\t\t\treturn rc;\n',
    to:
      '\t\t\trc = mdb_try_wmutex ? pthread_mutex_trylock(env->me_wmutex) : LOCK_MUTEX0(env->me_wmutex);\n' +
      '\t\t\tif (rc && (rc = mdb_mutex_failed(env, env->me_wmutex, rc)))\n\t\t\t\treturn rc;\n',
  },
  {
    file: MDB,
    name: 'a commit has two parts: the pages and the meta page are written, and the transaction ends',
    from: 'int\nmdb_txn_commit(MDB_txn *txn)\n{\n',
    to:
      '#define MDB_COMMIT_WRITE 1\n#define MDB_COMMIT_END 2\nstatic int mdb_txn_commit0(MDB_txn *txn, int parts);\n\n' +
      'int\nmdb_txn_commit(MDB_txn *txn)\n{\n\treturn mdb_txn_commit0(txn, MDB_COMMIT_WRITE | MDB_COMMIT_END);\n}\n\n' +
      'static int\nmdb_txn_commit0(MDB_txn *txn, int parts)\n{\n',
  },
  {
    file: MDB,
    name: 'the second part begins after the first one',
    from: '\tmdb_cursors_close(txn, 0);\n\n\tif (!txn->mt_u.dirty_list[0].mid &&',
    to:
      '\tif (!(parts & MDB_COMMIT_WRITE))\n\t\tgoto written;\n\n' +
      '\tmdb_cursors_close(txn, 0);\n\n\tif (!txn->mt_u.dirty_list[0].mid &&',
  },
  {
    file: MDB,
    name: 'the first part ends when the meta page is written',
    from: '\t//<lmdb-js>\n\tMDB_txn_visible* callback = txn->mt_callback;\n',
    to:
      '\tif (!(parts & MDB_COMMIT_END))\n\t\treturn MDB_SUCCESS;\nwritten:;\n' +
      '\t//<lmdb-js>\n\tMDB_txn_visible* callback = txn->mt_callback;\n',
  },
  {
    file: MDB,
    name: 'a first part that fails leaves the transaction to be aborted by the thread that has the lock',
    from: 'fail:\n\tmdb_txn_abort(txn);\n\treturn rc;\n}\n\nMDB_meta* mdb_pick_meta',
    to: 'fail:\n\tif (parts & MDB_COMMIT_END)\n\t\tmdb_txn_abort(txn);\n\treturn rc;\n}\n\nMDB_meta* mdb_pick_meta',
  },
  {
    file: MDB,
    name: 'the mark of a thread that only tries for the write lock',
    from: '/** Common code for #mdb_txn_begin() and #mdb_txn_renew().\n',
    to: 'static __thread int mdb_try_wmutex;\n\n/** Common code for #mdb_txn_begin() and #mdb_txn_renew().\n',
  },
  {
    file: 'dependencies/lmdb/libraries/liblmdb/lmdb.h',
    name: 'functions of split-commit.c',
    from: 'int  mdb_txn_commit(MDB_txn *txn);\n',
    to:
      'int  mdb_txn_commit(MDB_txn *txn);\nint  mdb_txn_try_begin(MDB_env *env, MDB_txn **txn);\n' +
      'int  mdb_txn_has_changes(MDB_txn *txn);\nint  mdb_txn_write(MDB_txn *txn);\n' +
      'int  mdb_txn_finish(MDB_txn *txn);\n',
  },
  {
    file: 'src/lmdb-js.h',
    name: 'flags of a transaction: the write lock is only tried for; its pages are written',
    from: 'const int TXN_FROM_WORKER = 4;\n',
    to:
      'const int TXN_FROM_WORKER = 4;\nconst int TXN_TRY = 8;\nconst int TXN_WRITTEN = 16;\n' +
      'NAPI_FUNCTION(writeTransaction);\n',
  },
  {
    file: 'src/env.cpp',
    name: 'the asynchronous transaction of the package is not awaited when the write lock is only tried for',
    from: '\t\telse if (this->writeWorker) {\n\t\t\t// try to acquire',
    to:
      '\t\telse if ((flags & TXN_TRY) && this->writeWorker)\n\t\t\treturn throwLmdbError(info.Env(), EBUSY);\n' +
      '\t\telse if (this->writeWorker) {\n\t\t\t// try to acquire',
  },
  {
    file: 'src/env.cpp',
    name: 'a transaction that cannot begin is an error',
    from: '\t\t\tmdb_txn_begin(env, nullptr, flags & 0xf0000, &txn);\n\t\t\tflags |= TXN_ABORTABLE;\n',
    to:
      '\t\t\tint rc = flags & TXN_TRY ? mdb_txn_try_begin(env, &txn) : mdb_txn_begin(env, nullptr, flags & 0xf0000, &txn);\n' +
      '\t\t\tif (rc != 0) {\n\t\t\t\tif (this->writeWorker) this->writeWorker->UnlockTxn();\n' +
      '\t\t\t\telse pthread_mutex_unlock(this->writingLock);\n\t\t\t\treturn throwLmdbError(info.Env(), rc);\n\t\t\t}\n' +
      '\t\t\tflags |= TXN_ABORTABLE;\n',
  },
  {
    file: 'src/env.cpp',
    name: 'a transaction whose pages are written only ends',
    from: '\t\trc = mdb_txn_commit(currentTxn->txn);\n',
    to: '\t\trc = currentTxn->flags & TXN_WRITTEN ? mdb_txn_finish(currentTxn->txn) : mdb_txn_commit(currentTxn->txn);\n',
  },
  {
    file: 'src/env.cpp',
    name: 'the function of write-here.cpp',
    from: '\tEXPORT_NAPI_FUNCTION("write", write);\n',
    to: '\tEXPORT_NAPI_FUNCTION("write", write);\n\tEXPORT_NAPI_FUNCTION("writeTransaction", writeTransaction);\n',
  },
  {
    file: 'src/txn.cpp',
    name: 'renew() of a read transaction returns the number of its state',
    from: 'return throwLmdbError(info.Env(), rc);\n\t}\n\treturn info.Env().Undefined();\n}\nMDB_env* TxnWrap::getEnv()',
    to: 'return throwLmdbError(info.Env(), rc);\n\t}\n\treturn Number::New(info.Env(), mdb_txn_id(this->txn));\n}\nMDB_env* TxnWrap::getEnv()',
  },
]

/** Files of native/lmdb that follow files of the sources. */
const ADDITIONS = { 'split-commit.c': MDB, 'write-here.cpp': 'src/writer.cpp' }

install()
const given = process.argv.slice(2)
for (const architecture of given.length > 0 ? given : Object.keys(TRIPLES)) build(architecture)

function build(architecture) {
  const triple = TRIPLES[architecture]
  if (triple === undefined) fail(`${architecture}: one of ${Object.keys(TRIPLES).join(', ')} was expected`)
  const folder = mkdtempSync(join(tmpdir(), 'build-lmdb-'))
  const source = join(folder, 'lmdb')
  cpSync(join(root, 'node_modules', 'lmdb'), source, { recursive: true })
  cpSync(join(root, 'node_modules', 'node-addon-api'), join(source, 'node_modules', 'node-addon-api'), {
    recursive: true,
  })
  for (const change of REPAIRS) repair(source, change)
  for (const [addition, file] of Object.entries(ADDITIONS))
    appendFileSync(join(source, file), readFileSync(join(root, 'native', 'lmdb', addition)))
  const flags = `-ffile-prefix-map=${folder}=.`
  run(process.execPath, [nodeGyp(), 'rebuild', `--arch=${architecture}`, '--jobs=max', ...headers()], {
    cwd: source,
    env: {
      ...process.env,
      CC: `${triple}-gcc`,
      CXX: `${triple}-g++`,
      CFLAGS: flags,
      CXXFLAGS: flags,
      // Only Node-API is used, so one file serves all versions of Node.
      ENABLE_V8_FUNCTIONS: 'false',
    },
  })
  // The name by which the package `lmdb` finds it (node-gyp-build-optional-packages).
  const output = join(root, 'native', 'lmdb', 'prebuilds', `linux-${architecture}`, 'node.napi.glibc.node')
  mkdirSync(dirname(output), { recursive: true })
  run(`${triple}-strip`, ['--strip-all', '-o', output, join(source, 'build', 'Release', 'lmdb.node')])
  rmSync(folder, { recursive: true })
  console.log(output)
}

function repair(source, { file, name, from, to }) {
  const text = readFileSync(join(source, file), 'utf8').replaceAll('\r\n', '\n')
  if (text.split(from).length !== 2) fail(`the sources of lmdb have changed; look again whether: ${name}`)
  writeFileSync(
    join(source, file),
    text.replace(from, () => to),
  )
}

/** Node's own headers, where this Node was installed with them; otherwise node-gyp fetches them. */
function headers() {
  const folder = dirname(dirname(process.execPath))
  return existsSync(join(folder, 'include', 'node', 'node_api.h')) ? [`--nodedir=${folder}`] : []
}

/** The program that npm builds native packages with. */
function nodeGyp() {
  const npm = spawnSync('npm', ['root', '--global'], { encoding: 'utf8' }).stdout.trim()
  return join(npm, 'npm', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js')
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (status !== 0) fail(`${command} failed${error ? `: ${error.message}` : ''}`)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
