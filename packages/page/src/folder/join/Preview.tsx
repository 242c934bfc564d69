// What the files of the form would be together, or why they cannot be joined, with changes that solve it.

import type { Api } from '@hyperslab/client'
import { mayPass } from '../../common/retry.ts'
import {
  type ConflictGroup,
  conflictGroups,
  type JoinFields,
  type Offer,
  reviewText,
  warningGroups,
} from './model.ts'
import type { ReviewState } from './use-review.ts'

interface PreviewProps {
  readonly state: ReviewState
  readonly isAsked: boolean
  readonly along: string
  readonly folder: string
  /** Changes that solve conflicts. */
  readonly offers: readonly Offer[]
  readonly change: (parts: Partial<JoinFields>) => void
}

export function Preview({ state, isAsked, along, folder, offers, change }: PreviewProps) {
  const { review, isPending, error } = state
  if (!isAsked)
    return (
      <p role="status" className="muted">
        With a dimension and a path, the page shows what the files are together.
      </p>
    )
  if (review === undefined || (error !== undefined && !isPending))
    return (
      <p role="status" className="muted">
        {isPending
          ? 'Looking at the files …'
          : mayPass(error)
            ? 'The page asks again when the service answers.'
            : ''}
      </p>
    )
  const { datasets, conflicts, warnings } = review
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="preview" aria-label="Preview" aria-busy={isPending} tabIndex={0}>
      <p role="status">{isPending ? 'Looking at the files …' : reviewText(review, along, folder)}</p>
      {conflicts.length > 0 ? (
        <>
          <Groups groups={conflictGroups(conflicts, folder)} />
          <Offers offers={offers} change={change} />
        </>
      ) : (
        <Datasets datasets={datasets} />
      )}
      {warnings.length > 0 ? (
        <div className="warnings">
          <Groups groups={warningGroups(warnings, folder)} />
        </div>
      ) : null}
    </section>
  )
}

function Groups({ groups }: { readonly groups: readonly ConflictGroup[] }) {
  return (
    <ul className="conflicts">
      {groups.map(({ reason, files }) => (
        <li key={reason}>
          {reason}
          {files === '' ? null : <small>{files}</small>}
        </li>
      ))}
    </ul>
  )
}

function Offers({ offers, change }: Pick<PreviewProps, 'offers' | 'change'>) {
  return offers.length === 0 ? null : (
    <div className="offers">
      {offers.map(offer => (
        <button
          type="button"
          key={offer.text}
          onClick={event => {
            // The button goes with the conflict.
            event.currentTarget.closest<HTMLElement>('.preview')?.focus()
            change(offer.change)
          }}
        >
          {offer.text}
        </button>
      ))}
    </div>
  )
}

function Datasets({ datasets }: Pick<Api.JoinReview, 'datasets'>) {
  return (
    <table>
      <thead>
        <tr>
          <th>Dataset</th>
          <th>Shape</th>
        </tr>
      </thead>
      <tbody>
        {datasets.map(({ path, shape, axis }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>
              {shape.map((extent, d) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the dimensions stay where they are
                <span key={d}>
                  {d > 0 ? ' × ' : ''}
                  {d === axis ? <strong>{extent}</strong> : extent}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
