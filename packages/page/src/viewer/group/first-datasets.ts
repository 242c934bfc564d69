// The datasets of a domain to look at first, as the service chooses them for its picture (common 18).

import { messageOf } from '../../common/errors.ts'
import type { Contents, Entity } from '../data/contents.ts'
import { plotOf } from '../data/plot.ts'
import { DRAWING_NAMES, type DrawingName } from '../views/drawing-names.ts'
import { chosenView } from '../views/object-model.ts'
import type { Subject } from '../views/view.ts'
import { viewsOf } from '../views/views.ts'

/** Their paths. The list of the members comes first. Empty: none, or the service cannot say it. */
export async function firstDatasets(contents: Contents, signal: AbortSignal): Promise<readonly string[]> {
  try {
    await contents.members('/').done
    const parameters = { domain: contents.domain.path, format: 'json' as const }
    const { datasets } = await contents.client.request('GET /thumbnail', parameters, { signal })
    return datasets.map(({ h5path }) => h5path)
  } catch {
    return []
  }
}

export interface DrawnSubject extends Subject {
  readonly entity: Entity
  readonly drawing: DrawingName
}

/** The dataset at a path as its first view draws it; a text: the reason why nothing is drawn. */
export async function drawnAt(
  contents: Contents,
  path: string,
  signal: AbortSignal,
): Promise<DrawnSubject | string> {
  try {
    const entity = await contents.at(path)
    const subject = { entity, plot: await plotOf(contents, entity, signal) }
    const name = chosenView(
      viewsOf(subject).filter(({ name }) => name in DRAWING_NAMES),
      subject,
      undefined,
    )?.name
    // Only names of drawings are left.
    return name === undefined
      ? 'It cannot be drawn.'
      : { ...subject, drawing: DRAWING_NAMES[name as keyof typeof DRAWING_NAMES] }
  } catch (error) {
    signal.throwIfAborted()
    return messageOf(error)
  }
}

/** The one after `path` in a circle. */
export function nextOf(paths: readonly string[], path: string): string {
  return paths[(paths.indexOf(path) + 1) % paths.length] ?? path
}
