// Door: what other packages use of base/durable-file and base/system-code.

export { createFile, replaceFile, syncFolder } from './durable-file.ts'
export { systemCode } from './system-code.ts'
