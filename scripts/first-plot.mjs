// `node scripts/first-plot.mjs [npm|deb|image ...]`: from nothing to the first plot. Makes what a release consists of
// and the image, installs each in a bare Debian 13, starts it with one command, and looks at the values of an HDF5
// file, at all files of the page and at a picture: the package of npm with a newer Node; the package for Debian with
// Debian's Node, under a systemd of its own, which has the socket, with an upgrade and its removal; the image as a user
// id of nobody, on a root that cannot be written. Needs root, debootstrap, buildah, systemd-nspawn, npm, and Debian's
// mirror; without one of them it fails. The base image of Node is made of Debian's packages and npm's, under the name
// in Containerfile.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/servers/free-port.mjs'
import { build, install, root } from './prepare.mjs'

const PACKAGES = 'ca-certificates,systemd,systemd-sysv,dbus'
const SAMPLE = 'varied.h5'
const DATASET = '/layouts/extensible'
/** Bytes of the image, uncompressed. */
const MAX_IMAGE = 200e6
const MAX_EXPOSURE = 3
/** Seconds that a service has to start or to end on a busy machine. */
const PATIENCE = 120
/** A user of nobody, in the group that may write the volume of the image. */
const OWNER = '12345:0'
/** Requests with connections of their own: while a command runs here, nobody notices that a kept one is closed. */
const ALONE = { connection: 'close' }
const OWN_CONFIG = '/etc/hyperslab/config.json'

const tries = { npm: tryNpm, deb: tryDeb, image: tryImage }
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(tries)
const folder = mkdtempSync(join(tmpdir(), 'hyperslab-first-plot-'))
/** Ends what was started, the last one first. */
const endings = [() => rmSync(folder, { recursive: true, force: true })]
try {
  requireTools()
  install()
  build()
  let files
  const artifact = ending => {
    files ??= run(process.execPath, [join(root, 'scripts/artifacts.mjs'), folder, process.arch]).split('\n')
    return join(folder, files.find(name => name.endsWith(ending)) ?? '')
  }
  const debian = makeDebian()
  for (const name of chosen) {
    const start = performance.now()
    await tries[name](debian, artifact)
    console.log(
      `${name}: from nothing to the first plot in ${Math.round((performance.now() - start) / 1000)} s`,
    )
  }
} finally {
  for (const end of endings.reverse()) await end()
}

function requireTools() {
  const needed = { debootstrap: 'debootstrap', buildah: 'buildah', 'systemd-nspawn': 'systemd-container' }
  const absent = Object.keys(needed).filter(tool => spawnSync('which', [tool]).status !== 0)
  if (process.getuid() !== 0) throw new Error('chroots and mounts need root')
  if (absent.length > 0)
    throw new Error(
      `apt-get install ${absent.map(tool => needed[tool]).join(' ')}: ${absent.join(', ')} is missing`,
    )
  const wrong = chosen.filter(name => tries[name] === undefined)
  if (wrong.length > 0) throw new Error(`${wrong.join(', ')}: there are ${Object.keys(tries).join(', ')}`)
}

/** A bare Debian, made once; it reaches the network as this machine does. */
function makeDebian() {
  const cache = join(homedir(), '.cache/hyperslab-debian')
  const made = join(cache, '13')
  if (!existsSync(join(made, '.ready'))) {
    rmSync(made, { recursive: true, force: true })
    mkdirSync(cache, { recursive: true })
    const query = [
      'indextargets',
      '--format',
      '$(REPO_URI)',
      'Created-By: Packages',
      'Origin: Debian',
      'Label: Debian',
    ]
    const [mirror] = run('apt-get', query).split('\n')
    run('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', made, mirror])
    writeFileSync(join(made, '.ready'), '')
  }
  return made
}

/** A copy of a bare Debian, in which the programs of the list are too. */
function copyOf(debian, name, withNode) {
  const copy = join(folder, name)
  run('cp', ['--archive', '--reflink=auto', debian, copy])
  for (const file of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'])
    run('cp', ['--dereference', file, join(copy, file)])
  const lines = [
    'APT::Install-Recommends "false";',
    'Acquire::Check-Valid-Until "false";',
    'Acquire::Check-Date "false";',
  ]
  writeFileSync(join(copy, 'etc/apt/apt.conf.d/90local'), lines.join('\n'))
  if (withNode) {
    const node = run('bash', [join(root, 'scripts/with-newer-node.sh'), 'bash', '-c', 'command -v node'])
    run('cp', [node.split('\n').at(-1), join(copy, 'usr/local/bin/node')])
    mkdirSync(join(copy, 'usr/local/lib/node_modules'))
    run('cp', [
      '--recursive',
      join(run('npm', ['root', '--global']), 'npm'),
      join(copy, 'usr/local/lib/node_modules'),
    ])
    run('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', join(copy, 'usr/local/bin/npm')])
    writeFileSync(join(copy, 'root/.npmrc'), 'cafile=/etc/ssl/certs/ca-certificates.crt\n')
  }
  return copy
}

function addSample(to) {
  mkdirSync(to, { recursive: true })
  run('cp', [join(root, 'test/wire/fixtures', SAMPLE), to])
}

async function tryNpm(debian, artifact) {
  const place = copyOf(debian, 'npm', true)
  run('cp', [artifact('.tgz'), join(place, 'root/hyperslab.tgz')])
  run('chroot', [place, 'npm', 'install', '--global', '--ignore-scripts', '/root/hyperslab.tgz'])
  const home = join(folder, 'home')
  addSample(join(home, 'lab'))
  run('chown', ['--recursive', OWNER, home])
  const command = ['env', 'HOME=/home', 'hyperslab', 'serve', '/home/lab', '--port', '0']
  const service = startIn(place, { '/home': home }, command)
  await look(await service.address(), `/${SAMPLE}`)
  await service.end()
}

async function tryDeb(debian, artifact) {
  const place = copyOf(debian, 'deb', false)
  run('cp', [artifact('.deb'), join(place, 'root/hyperslab.deb')])
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '--yes', '--quiet']
  run('chroot', [place, ...apt, 'update'])
  run('chroot', [place, ...apt, 'install', '/root/hyperslab.deb'])
  addSample(join(place, 'srv/lab'))
  const settings = JSON.parse(readFileSync(join(place, OWN_CONFIG), 'utf8'))
  writeFileSync(join(place, OWN_CONFIG), JSON.stringify({ ...settings, mount: ['/srv/lab'] }))
  // The machine's ports are those of the copy.
  const changes = join(place, 'etc/systemd/system/hyperslab.socket.d')
  mkdirSync(changes, { recursive: true })
  const port = await freePort()
  writeFileSync(join(changes, 'port.conf'), `[Socket]\nListenStream=\nListenStream=127.0.0.1:${port}\n`)
  const inside = await boot(place)
  const state = () => inside('systemctl', 'show', 'hyperslab', '--property=ActiveState,SubState,Result')
  const address = `http://127.0.0.1:${port}/`
  await until('systemd listens', () => inside('systemctl', 'is-active', 'hyperslab.socket') === 'active')
  await look(address, `/lab/${SAMPLE}`)

  inside(
    'sh',
    '-c',
    'echo root-secret-9 | runuser -u hyperslab -- hyperslab user add root --admin --data /var/lib/hyperslab',
  )
  const user = { ...ALONE, authorization: `Basic ${btoa('root:root-secret-9')}` }
  const create = await fetch(`${address}?domain=/kept.h5`, { method: 'PUT', headers: user })
  expect('a domain is created', create.status, 201)
  inside(...apt, 'install', '--reinstall', '/root/hyperslab.deb')
  // The new process does not listen yet: the request waits at the socket.
  const kept = await fetch(`${address}?domain=/kept.h5`, { headers: user })
  expect('a domain outlives an upgrade', kept.status, 200)

  const exposure = /level for hyperslab.service: ([\d.]+)/.exec(
    inside('systemd-analyze', 'security', '--no-pager', 'hyperslab'),
  )
  console.log(`deb: exposure ${exposure?.[1]}`)
  if (!(Number(exposure?.[1]) < MAX_EXPOSURE)) throw new Error('the unit is exposed more than before')
  inside('systemctl', 'stop', 'hyperslab.socket', 'hyperslab')
  expect('the end of the unit', state(), 'Result=success\nActiveState=inactive\nSubState=dead')
  inside(...apt, 'purge', 'hyperslab')
  expect('data outlive the package', existsSync(join(place, 'var/lib/hyperslab/lmdb')), true)
  expect(
    'nothing starts it again',
    existsSync(join(place, 'etc/systemd/system/multi-user.target.wants/hyperslab.service')),
    false,
  )
}

/** Starts the systemd of a root; returns what runs a command in it. */
async function boot(place) {
  // A systemd of today knows control groups of version 2 only.
  const script = `umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && cd /sys/fs/cgroup && mkdir $2 && echo $$ > $2/cgroup.procs &&
    exec systemd-nspawn --quiet --register=no --keep-unit --console=pipe --directory="$1" --boot`
  const group = `hyperslab-${process.pid}`
  const removal = ['-depth', '-type', 'd', '-path', `*${group}*`, '-exec', 'rmdir', '{}', '+']
  endings.push(() => spawnSync('find', ['/sys/fs/cgroup', ...removal]))
  const { child } = start('unshare', ['--mount', 'sh', '-c', script, 'sh', place, group])
  const leader = await until('systemd starts', () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim()
    const isBooted = spawnSync('nsenter', [
      '--all',
      '--target',
      children,
      'systemctl',
      'is-system-running',
      '--wait',
    ])
    return /running|degraded/.test(isBooted.stdout) ? children : undefined
  })
  endings.push(async () => {
    spawnSync('nsenter', ['--all', '--target', leader, 'systemctl', 'poweroff', '--force'])
    await until('systemd ends', () => child.exitCode !== null)
  })
  return (...command) => run('nsenter', ['--all', '--target', leader, ...command])
}

async function tryImage(debian) {
  const place = copyOf(debian, 'node', true)
  const storage = [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver=vfs',
  ]
  const buildah = (...args) => run('buildah', [...storage, ...args])
  endings.push(() => spawnSync('buildah', [...storage, 'rm', '--all']))
  const [, base] = /^FROM (\S+)/m.exec(readFileSync(join(root, 'Containerfile'), 'utf8'))
  const scratch = buildah('from', 'scratch')
  buildah('add', '--quiet', scratch, place, '/')
  buildah('commit', '--quiet', scratch, base)
  const options = '--isolation=chroot --network=host --format=docker --layers=false --tag=hyperslab'
  buildah('build', ...options.split(' '), root)
  const image = buildah('from', 'localhost/hyperslab')
  const files = buildah('mount', image)
  const { Env, Entrypoint, Cmd, Healthcheck } = JSON.parse(buildah('inspect', image)).Docker.config
  const size = Number(run('du', ['--summarize', '--bytes', files]).split('\t')[0])
  console.log(`image: ${(size / 1e6).toFixed(1)} MB, not compressed`)
  if (size > MAX_IMAGE) throw new Error('the image is larger than what the guide says')

  // The volume is that of the image, and the sample lies in the other folder that it has.
  const data = join(folder, 'volume')
  const lab = join(folder, 'lab')
  run('cp', ['--archive', join(files, 'data'), data])
  addSample(lab)
  const inImage = ['env', '-i', ...Env]
  const command = [...Entrypoint, ...Cmd.map(word => (word === '5101' ? '0' : word)), '--mount', '/tmp=/lab']
  const service = startIn(files, { '/data': data, '/tmp': lab }, [
    ...inImage,
    'HYPERSLAB_OPEN_TO_NETWORK=true',
    ...command,
  ])
  const address = await service.address()
  await look(address, `/lab/${SAMPLE}`)
  const [, ...check] = Healthcheck.Test
  const { port } = new URL(address)
  run('chroot', [files, ...inImage, ...check.map(word => word.replaceAll(':5101', `:${port}`))])
  await service.end()
}

/** Starts a command in a root that cannot be written, as OWNER; `folders` are those of this machine at places in it. */
function startIn(place, folders, command) {
  for (const name of ['proc', 'dev']) mkdirSync(join(place, name), { recursive: true })
  const script = [
    'mount --bind "$0" "$0"',
    'mount -o remount,bind,ro "$0"',
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    ...Object.entries(folders).map(([at, from]) => `mount --bind '${from}' "$0${at}"`),
    `exec chroot --userspec=${OWNER} --groups= "$0" "$@"`,
  ]
  return start('unshare', ['--mount', 'sh', '-c', script.join(' && '), place, ...command])
}

/** The values of a dataset, all files that the page names, and a picture of the domain. */
async function look(address, domain) {
  const get = async (path, kind) => {
    const answer = await fetch(new URL(path, address), { headers: ALONE })
    expect(`GET ${path}`, answer.status, 200)
    const type = answer.headers.get('content-type')
    if (!type.startsWith(kind)) throw new Error(`${path} is ${type}`)
    return answer
  }
  const query = `domain=${encodeURIComponent(domain)}`
  const json = async path => (await get(path, 'application/json')).json()
  const { id } = await json(`/?${query}&h5path=${encodeURIComponent(DATASET)}`)
  const { value } = await json(`/datasets/${id}/value?${query}`)
  expect('values', JSON.stringify(value), JSON.stringify([...Array(10).keys()]))
  const page = await (await get('/ui', 'text/html')).text()
  const names = [...page.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(([, name]) => name)
  if (!names.some(name => name.endsWith('.js'))) throw new Error('the page has no program')
  for (const name of names) await get(`/${name}`, 'text/')
  const picture = Buffer.from(await (await get(`/thumbnail?${query}`, 'image/png')).arrayBuffer())
  expect('the kind of the picture', picture.subarray(1, 4).toString(), 'PNG')
}

/** Starts a program that serves; it is ended at the end. */
function start(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => (printed += text))
  const ended = new Promise(resolve => {
    child.on('error', error => resolve((printed += error.message)))
    child.on('close', resolve)
  })
  const end = async () => {
    child.kill('SIGTERM')
    expect('the exit status after SIGTERM', await ended, 0)
  }
  endings.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  const address = () =>
    until('it serves', () => {
      if (child.exitCode !== null) throw new Error(printed)
      return /at (http:\S+)/.exec(printed)?.[1]
    })
  return { child, end, address }
}

async function until(what, look) {
  for (let i = 0; i < PATIENCE * 10; i++) {
    const found = look()
    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${what}: not in ${PATIENCE} s`)
}

function expect(what, found, wanted) {
  if (found !== wanted) throw new Error(`${what}: ${found} instead of ${wanted}`)
}

/** The output of a command that succeeds. */
function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0)
    throw new Error(
      `${command} ${args.slice(0, 6).join(' ')} failed: ${error?.message ?? stderr.slice(-2000) + stdout.slice(-2000)}`,
    )
  return stdout.trim()
}
