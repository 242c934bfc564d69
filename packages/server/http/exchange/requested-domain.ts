// The domain that a request names, and the state that it requires of it.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel } from '@hyperslab/model/names'
import { requireInScope } from '../../service/access/scope.ts'
import type { Context, OpenDomain } from '../../service/context.ts'
import { type OtherPaths, openDomain, resolveDomain, withRoot } from '../../service/domains/domains.ts'
import { requireRequiredState } from '../../service/domains/required-state.ts'
import type { Naming, NamingSettings } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import { placeOf } from '../dialect/place.ts'
import type { Request } from '../message/message.ts'
import type { Route } from '../route/route.ts'
import type { RequestNames } from './contexts.ts'

export class RequestedDomain {
  readonly #request: Request
  readonly #settings: NamingSettings
  readonly #requiredState: string | undefined
  #naming: Naming | undefined

  constructor(request: Request, settings: NamingSettings) {
    this.#request = request
    this.#settings = settings
    this.#requiredState = requiredStateOf(request)
  }

  /** The name of the domain, read when it is needed: a remembered answer does not need it. */
  name(): Naming {
    const { dialect, target, headers } = this.#request
    this.#naming ??= dialect.nameDomain(target, headers, this.#settings)
    return this.#naming
  }

  placeAt(route: Pick<Route, 'answersValues'>, domain?: OpenDomain, request = this.#request): Place {
    return placeOf(this.name(), request, this.#settings, domain?.root.id, route.answersValues)
  }

  async open(context: Context): Promise<OpenDomain> {
    const domain = await this.#find(context)
    if (this.#requiredState !== undefined) await requireRequiredState(context, domain)
    return domain
  }

  async #find(context: Context): Promise<OpenDomain> {
    const { meanings, path, otherPaths } = this.name()
    const contents = meanings?.openContents && (await meanings.openContents(context))
    const domain = contents ?? (await openNamed(context, path, otherPaths))
    if (!contents) requireInScope(context.caller, domain.entry.path)
    if (meanings) await meanings.requireKnown(context, domain.entry.path)
    return domain
  }

  async requireStateAt(context: Context, path: DomainPath): Promise<void> {
    if (this.#requiredState === undefined) return
    const entry = await context.reader.domain(path)
    await requireRequiredState(context, entry && (await withRoot(context, entry)))
  }

  async resolve(context: Context): Promise<DomainPath> {
    const { meanings, path, otherPaths } = this.name()
    const found = await resolveDomain(context, path, otherPaths)
    if (meanings) await meanings.requireKnown(context, found)
    return found
  }

  /** The parts of a context that the request names. */
  get names(): RequestNames {
    const requiredState = this.#requiredState
    return requiredState === undefined ? this.name() : { ...this.name(), requiredState }
  }
}

/** The domain that the request names; a request about objects must name one. */
async function openNamed(
  context: Context,
  path: DomainPath,
  otherPaths: OtherPaths | undefined,
): Promise<OpenDomain> {
  if (isTopLevel(path)) {
    throw new HyperslabError('domain-not-named', 'the request must name a domain by ?domain=/path')
  }
  return openDomain(context, path, otherPaths)
}

const STATE = /^[0-9a-f]{32}$/

/** The state that the request requires of its domain, in the header or in the query; undefined: it requires none. */
function requiredStateOf({ headers, target }: Pick<Request, 'headers' | 'target'>): string | undefined {
  const header = headers['if-state']
  const text = header ?? (target.rawQuery === '' ? '' : (target.query.get('state') ?? ''))
  if (text === '') return undefined
  if (typeof text === 'string' && STATE.test(text)) return text
  const name = header === undefined ? 'state' : 'If-State'
  const message = `${name} must be 32 hexadecimal digits, as GET / of the domain has them`
  throw new HyperslabError('malformed-precondition', message)
}
