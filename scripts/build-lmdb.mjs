// `node scripts/build-lmdb.mjs [ARCHITECTURE...]`: builds the package `lmdb` from its own sources with five repairs
// and an addition, for Linux with glibc, into native/lmdb/prebuilds, from where the service loads it. A person runs it,
// when the version of the package changes. It needs a compiler for C and C++, Python and Node's headers; for arm64 on
// another machine it needs Debian's g++-aarch64-linux-gnu. native/lmdb/repairs.md has the reasons and the report.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
    file: 'src/txn.cpp',
    name: 'renew() of a read transaction returns the number of its state',
    from: 'return throwLmdbError(info.Env(), rc);\n\t}\n\treturn info.Env().Undefined();\n}\nMDB_env* TxnWrap::getEnv()',
    to: 'return throwLmdbError(info.Env(), rc);\n\t}\n\treturn Number::New(info.Env(), mdb_txn_id(this->txn));\n}\nMDB_env* TxnWrap::getEnv()',
  },
]

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
