// The types of header messages (file format specification, IV.A.2), and the flags that each message has.

export const MESSAGE = {
  nil: 0x00,
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFillValue: 0x04,
  fillValue: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  groupInfo: 0x0a,
  filters: 0x0b,
  attribute: 0x0c,
  comment: 0x0d,
  oldModificationTime: 0x0e,
  sharedTable: 0x0f,
  continuation: 0x10,
  symbolTable: 0x11,
  modificationTime: 0x12,
  nodeSizes: 0x13,
  driverInformation: 0x14,
  attributeInfo: 0x15,
  referenceCount: 0x16,
  fileSpaceInfo: 0x17,
  cacheImage: 0x18,
} as const

/** All other types are unknown; 0x09 among them, which tests of the library write. */
export const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(MESSAGE))

/** The body is a shared message (shared.ts): the message itself is elsewhere. */
export const SHARED_FLAG = 0x02
/** A reader that does not know the type cannot read the object. */
export const FAIL_IF_UNKNOWN_FLAG = 0x80
