// The fields of the form that joins files as a component has them: their texts, what is wrong with each, and saving.

import { type Api, RequestError } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import type { Place } from '../../shell/address.ts'
import type { Session } from '../../shell/session.ts'
import { type Dimensions, dimensionsOf, firstFile } from './dimensions.ts'
import { newFolderFor } from './home.ts'
import { type Fault, faultOf, type JoinFields, NO_RULES, requestOf } from './model.ts'
import { firstSources, joinedName, newDimensionOf } from './pattern.ts'
import { useReview } from './use-review.ts'

export interface JoinFormProps {
  readonly session: Session
  /** The folder of the files; it ends with a slash. */
  readonly folder: string
  /** The entries of the folder that are shown. */
  readonly rows: readonly Api.ListedDomain[]
  readonly selected: readonly Api.ListedDomain[]
  readonly close: () => void
  readonly go: (place: Place) => void
}

/** Names for the new domain that are proposed one after the other. @limit safety, names */
const MAX_PROPOSED = 100

interface Saving {
  readonly isRunning: boolean
  readonly fault?: Fault
}

export function useJoin(props: JoinFormProps) {
  const { session, close, go } = props
  const { fields, names, type, isProposed, proposeNext } = useFields(props)
  const [saving, setSaving] = useState<Saving>({ isRunning: false })
  const [version, setVersion] = useState(0)
  const request = requestOf(fields)
  const review = useReview(session.client, request, version)
  const { isPending, error } = review
  const isTaken = isProposed && error instanceof RequestError && error.code === 'domain-exists'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (isTaken) proposeNext()
  }, [error])
  const found = error === undefined || isPending || isTaken ? undefined : faultOf(error)
  const fault = saving.fault ?? found
  const save = async () => {
    if (request === undefined) return
    setSaving({ isRunning: true })
    try {
      await session.client.request('PUT /', { domain: request.to }, { body: { join: request.join } })
      close()
      go({ kind: 'domain', path: request.to, object: '/' })
    } catch (error) {
      setSaving({ isRunning: false, fault: faultOf(error) })
      // The files may be others now.
      setVersion(before => before + 1)
    }
  }
  const change = (parts: Partial<JoinFields>) => {
    setSaving({ isRunning: false })
    type(parts)
  }
  return {
    fields,
    names,
    change,
    request,
    review,
    isSaving: saving.isRunning,
    canSave: !isPending && error === undefined && review.review?.conflicts.length === 0,
    faultAt: (field: Fault['field']) => (fault?.field === field ? fault?.message : undefined),
    save,
  }
}

/** What is in the fields: what the user has typed, else what the page proposes. */
function useFields({ session, folder, rows, selected }: JoinFormProps) {
  const [first] = useState(() => firstSources(folder, rows, selected))
  const [typed, setTyped] = useState<Partial<JoinFields>>({})
  const dimensions = useDimensions(session, selected.length > 0 ? selected : rows)
  const target = useNewFolder(session)
  const sources = typed.sources ?? first
  const [number, setNumber] = useState(1)
  const { isNew = false } = typed
  const proposed = newDimensionOf(sources, rows)
  const fields: JoinFields = {
    along: (isNew ? proposed.name : dimensions?.likely) ?? '',
    isNew,
    coordinate: proposed.coordinate,
    datasets: '',
    ...NO_RULES,
    to: (target && `${target}${joinedName(sources, number)}`) ?? '',
    ...typed,
    sources,
  }
  const type = (parts: Partial<JoinFields>) => setTyped(before => ({ ...before, ...parts }))
  // Another name, since there is a domain with the one that the page has proposed.
  const proposeNext = () => setNumber(before => before + 1)
  const isProposed = typed.to === undefined && number < MAX_PROPOSED
  return { fields, names: dimensions?.names ?? [], type, isProposed, proposeNext }
}

/** The dimensions of the first file of a list; undefined: not known. They are offers: the review says what is wrong. */
function useDimensions({ client }: Session, rows: JoinFormProps['rows']): Dimensions | undefined {
  const [found, setFound] = useState<Dimensions>()
  const [first] = useState(rows)
  useEffect(() => {
    const abort = new AbortController()
    const find = async () => {
      const file = await firstFile(client, first, abort.signal)
      return file === undefined ? undefined : dimensionsOf(client.domain(file), abort.signal)
    }
    find().then(
      dimensions => {
        if (!abort.signal.aborted) setFound(dimensions)
      },
      () => undefined,
    )
    return () => abort.abort()
  }, [client, first])
  return found
}

/** The folder that a new domain is in at first; undefined: not known yet, or none. */
function useNewFolder({ client, user, isOpen }: Session): string | undefined {
  const [folder, setFolder] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    void newFolderFor({ client, user, isOpen }, abort.signal).then(found => {
      if (!abort.signal.aborted) setFolder(found)
    })
    return () => abort.abort()
  }, [client, user, isOpen])
  return folder
}
