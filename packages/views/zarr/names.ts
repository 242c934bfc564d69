// Names of nodes. Most readers of Zarr append them to an address as they are. What then asks for another node is not
// shown: readers would take its chunks for missing, and read fill values.

/** The version of the format. */
export type ZarrFormat = 2 | 3

/** Whether the name is that of a document: documents have precedence over nodes of the same name. */
export function isReserved(name: string, format: ZarrFormat): boolean {
  return format === 3 ? name === 'zarr.json' : /^\.z(group|array|attrs|metadata)$/.test(name)
}

/** The reason why readers cannot ask for a node of this name; undefined: they can. */
export function nameFault(name: string, format: ZarrFormat): string | undefined {
  if (isReserved(name, format)) return `Zarr ${format} has a document of its name`
  if (name === '.' || name === '..') return 'its name has another meaning in addresses'
  if (name.includes('/')) return 'its name has a slash, which parts a path'
  if (name.includes('\\')) return 'zarr-python reads the backslash in its name as a slash'
  const [mark] = /[?#]/.exec(name) ?? []
  if (mark !== undefined) return `readers of Zarr end an address at the ${mark} in its name`
  const [digits] = /%[0-9a-f]{2}/i.exec(name) ?? []
  if (digits !== undefined) return `readers of Zarr do not encode the ${digits} in its name`
  return /[\t\n\r]/.test(name) ? 'readers of Zarr drop the tab or line break in its name' : undefined
}
