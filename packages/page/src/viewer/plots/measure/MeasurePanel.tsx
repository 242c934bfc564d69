// The part beside or below a drawing that has what was measured: the ends of the mark as numbers, and the result.

import type { ReactNode } from 'react'
import { messageOf } from '../../../common/errors.ts'
import { Icon } from '../../../common/Icon.tsx'
import { CopyButton } from '../../CopyButton.tsx'
import { NO_MARK, type View } from '../../view-address.ts'
import { EndField } from '../tools/EndField.tsx'
import { type Mark, markChange } from './marks.ts'
import { csvText, type Rows, tabText } from './rows.ts'

const TITLES = { profile: 'Profile', box: 'Box', interval: 'Interval' } as const
const FIELDS = {
  profile: ['From x', 'From y', 'To x', 'To y'],
  box: ['From x', 'From y', 'To x', 'To y'],
  interval: ['From', 'To'],
} as const

interface MeasurePanelProps {
  readonly mark: Mark
  readonly change: (choices: Partial<View>) => void
  /** What the buttons copy; undefined: nothing was measured yet. */
  readonly rows: Rows | undefined
  /** What was measured, in a sentence. */
  readonly note: string
  readonly error: unknown
  /** The names of the ends; absent: those of x and y. */
  readonly fields?: readonly string[] | undefined
  readonly children: ReactNode
}

export function MeasurePanel({ mark, change, rows, note, error, fields, children }: MeasurePanelProps) {
  const { kind, ends } = mark
  const put = (end: number, i: number) =>
    // A mark has as many ends as before.
    change(markChange({ kind, ends: ends.map((before, d) => (d === i ? end : before)) } as unknown as Mark))
  return (
    <section className="measure" aria-label={TITLES[kind]}>
      <div className="measure-head">
        <h3>{TITLES[kind]}</h3>
        {(fields ?? FIELDS[kind]).map((name, i) => (
          <EndField key={name} name={name} known={String(ends[i])} put={next => put(next, i)} />
        ))}
        <span className="measure-buttons">
          {/* Their place is kept. */}
          <span className="measure-buttons" style={{ visibility: rows ? 'visible' : 'hidden' }}>
            <CopyButton label="Copy" icon="copy" text={() => tabText(rows ?? [])} />
            <CopyButton label="Copy as CSV" icon="copy" text={() => csvText(rows ?? [])} />
          </span>
          <button
            type="button"
            className="quiet"
            aria-label={`Close ${TITLES[kind]}`}
            title="Close (Escape)"
            onClick={() => change(NO_MARK)}
          >
            <Icon name="close" />
          </button>
        </span>
      </div>
      {error === undefined ? (
        children
      ) : (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      )}
      <p className="measure-note" role="status">
        {note}
      </p>
    </section>
  )
}

/** Until the axes are known: the drawing beside it keeps its size when the numbers come. */
export function PendingPanel({ mark, change }: Pick<MeasurePanelProps, 'mark' | 'change'>) {
  return (
    <MeasurePanel {...{ mark, change }} rows={undefined} note="Loading …" error={undefined}>
      <div className={mark.kind === 'profile' ? 'measure-plot' : 'measure-result'} />
    </MeasurePanel>
  )
}
