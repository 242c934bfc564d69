// The definition of a joined domain in words, line by line.

import type { Api } from '@hyperslab/client'

export interface DefinitionLine {
  readonly name: string
  readonly texts: readonly string[]
}

export function definitionLines({ sources, along, keep, unpack, missing, check }: Api.JoinDefinition) {
  const lines: readonly DefinitionLine[] = [
    { name: 'Sources', texts: [sources].flat() },
    ...alongLines(along),
    {
      name: 'Overlaps',
      texts: keep === undefined ? [] : [`elements of the ${keep === 'first' ? 'earlier' : 'later'} file`],
    },
    { name: 'Packed numbers', texts: unpack ? ['become their values where files differ'] : [] },
    { name: 'Compared', texts: check ? [`${check} of datasets that are not joined`] : [] },
    { name: 'Missing files', texts: missing ? ['have fill values'] : [] },
  ]
  return lines.filter(({ texts }) => texts.length > 0)
}

function alongLines(along: Api.JoinDefinition['along']): readonly DefinitionLine[] {
  if (along === undefined) return [{ name: 'Along', texts: ['no dimension (a union)'] }]
  if (typeof along === 'string' || Array.isArray(along)) return [{ name: 'Along', texts: [along].flat() }]
  const { new: name, coordinate = 'the number of the file', datasets = [] } = along
  return [
    { name: 'New dimension', texts: [name] },
    { name: 'Coordinate', texts: [coordinate] },
    { name: 'Datasets', texts: [datasets].flat() },
  ]
}
