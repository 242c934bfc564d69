// 64 MiB in blobs of a MiB in S3: put and read with an empty cache, beside a plain client that has as many requests in
// flight, and read from the cache, beside the files of the data folder; all in this process. The store is bare
// node:http with the objects in memory, or the one of HYPERSLAB_TEST_S3 (node scripts/s3-gateway.mjs npm run bench s3).

import { mkdirSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { inParallel } from '../dist/modules/base/bounded/in-parallel.js'
import { FileBlobs } from '../dist/modules/store/engines/files/blobs.js'
import { openS3Blobs } from '../dist/modules/store/engines/s3/open-s3-blobs.js'
import { alternate, benchmark, print, printRatio } from './measure.mjs'

const COUNT = 64
const LENGTH = 2 ** 20
const REPETITIONS = 5

const given = process.env.HYPERSLAB_TEST_S3

await benchmark(async ({ directory, raw }) => {
  const environment = given ? process.env : await memoryStore(raw)
  const place = `${given ?? 's3://bucket'}/bench-${process.pid}`
  const bytes = Buffer.alloc(LENGTH, Buffer.from(Uint8Array.from({ length: 1009 }, (_, i) => i * i)))
  const bare = await openS3Blobs(place, { environment })
  const cache = { folder: join(directory, 'cache'), maxBytes: 2 ** 30 }
  const cached = await openS3Blobs(place, { environment, cache })
  const files = new FileBlobs(newFolder(join(directory, 'files')))
  const plain = plainClient(environment, place)
  const names = Array.from({ length: COUNT }, (_, i) => `ab/${i.toString(16)}`)
  const into = names.map(() => Buffer.alloc(LENGTH))
  const { parallelism } = bare.blobs
  const each = work => rate(() => inParallel(names.keys(), parallelism, i => work(names[i], into[i])))
  const readFrom = blobs => () =>
    each(async (name, memory) => {
      const count = await blobs.read(name, 0, memory)
      if (count !== LENGTH) throw new Error(`${name} has ${count} bytes`)
    })

  const puts = await alternate(REPETITIONS, [
    () => each(name => bare.blobs.put(name, [bytes])),
    await plain.prepare('PUT', names, bytes, each),
  ])
  report(`put ${COUNT} MiB into S3`, puts, 'plain client', 'none set')
  const cold = await alternate(REPETITIONS, [
    readFrom(bare.blobs),
    await plain.prepare('GET', names, undefined, each),
  ])
  report(`read ${COUNT} MiB from S3`, cold, 'plain client', 'at least 0.7')
  if (!into.every(found => found.equals(bytes))) throw new Error('the bytes differ')
  for (const name of names) await files.put(name, [bytes])
  const filling = [
    await each(async (name, memory) => {
      await cached.blobs.read(name, 0, memory)
    }),
  ]
  print('  the first time, which fills the cache', filling, 'MiB/s')
  // Until all is on the disk, was checked, and has the time of its use, with which it is checked once more.
  await sleep(1000)
  for (let round = 0; round < 2; round++) await readFrom(cached.blobs)()
  const warm = await alternate(REPETITIONS, [readFrom(cached.blobs), readFrom(files)])
  report(`read ${COUNT} MiB from the cache`, warm, 'files', 'at least 0.5')
  for (const name of names) await bare.blobs.delete(name).catch(() => undefined)
  await Promise.all([bare.close(), cached.close(), files.close()])
  plain.close()
})

function report(name, [ours, limit], other, goal) {
  print(name, ours, 'MiB/s')
  print(`  ${other}`, limit, 'MiB/s')
  printRatio('  of it', ours, limit, goal)
}

async function rate(work) {
  const start = performance.now()
  await work()
  return COUNT / ((performance.now() - start) / 1000)
}

function newFolder(path) {
  mkdirSync(path)
  return path
}

async function memoryStore(raw) {
  const { port } = await raw({ kind: 'objects' })
  const address = `http://127.0.0.1:${port}`
  return { AWS_ENDPOINT_URL: address, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
}

/** One that signs before the time begins, and checks nothing. */
function plainClient(environment, place) {
  const address = `${environment.AWS_ENDPOINT_URL}/${place.slice('s3://'.length)}`
  const module = address.startsWith('https:') ? https : http
  const agent = new module.Agent({ keepAlive: true })

  const send = (method, url, headers, body, memory) =>
    new Promise((resolve, reject) => {
      const request = module.request(url, { method, headers, agent }, response => {
        let filled = 0
        response.on('data', piece => {
          memory?.set(piece, filled)
          filled += piece.length
        })
        response.on('error', reject)
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${method}: ${response.statusCode}`)),
        )
      })
      request.on('error', reject)
      request.end(body)
    })

  return {
    async prepare(method, names, body, each) {
      const requests = new Map()
      for (const name of names) {
        // Beside those of the blobs, whose objects have checksums.
        const url = method === 'PUT' ? `${address}-plain/${name}` : `${address}/${name}`
        const { headers } = await new AwsV4Signer({
          method,
          url,
          accessKeyId: environment.AWS_ACCESS_KEY_ID,
          secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
          service: 's3',
          region: environment.AWS_REGION ?? 'us-east-1',
        }).sign()
        const length = body && { 'content-length': body.length }
        requests.set(name, { url, headers: { ...Object.fromEntries(headers), ...length } })
      }
      return () =>
        each((name, memory) => {
          const { url, headers } = requests.get(name)
          return send(method, url, headers, body, method === 'GET' ? memory : undefined)
        })
    },
    close: () => agent.destroy(),
  }
}
