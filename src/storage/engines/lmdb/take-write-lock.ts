// A program that takes LMDB's write lock of a folder and releases it: opening does both. write-lock.ts starts it, and
// ends it when that takes long.

import { open } from 'lmdb'

open({ path: process.argv[2], noSubdir: false, overlappingSync: false })
