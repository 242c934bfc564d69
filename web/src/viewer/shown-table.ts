// Which of its ways to show a dataset h5web has chosen: it has no event for it, but the tab is marked.

/** They need no image on the graphics card, whose sides are limited. */
const WITHOUT_IMAGE: ReadonlySet<string | null> = new Set(['Matrix', 'Compound', 'Scalar', 'Surface'])

const TAB = '[role="tablist"][aria-label="Visualization"] [role="tab"][aria-selected="true"]'

/** The tabs come somewhat later than the values are asked for: React draws what waits at most each half second. */
const DEADLINE_MS = 2000

/** Whether what h5web is about to show is a table. */
export async function showsTable(): Promise<boolean> {
  const deadline = performance.now() + DEADLINE_MS
  while (performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 20))
    // Tabs of what was shown before are hidden until the new ones are drawn.
    const tab = document.querySelector(TAB)
    if (tab && tab.getClientRects().length > 0) return WITHOUT_IMAGE.has(tab.textContent)
  }
  return false
}
