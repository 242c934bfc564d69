// A program that takes LMDB's write lock of a folder and lets it go: opening does both. Started by write-lock.ts, and ended
// by it when that takes long.

import { open } from 'lmdb'

open({ path: process.argv[2], noSubdir: false, overlappingSync: false })
