// The kind of view that h5web has chosen for a dataset: it has no event for it, but the tab is marked.

/** They need no image on the graphics card, whose sides are limited. */
const WITHOUT_IMAGE: ReadonlySet<string | null> = new Set(['Matrix', 'Compound', 'Scalar', 'Surface'])

const TAB = '[role="tablist"][aria-label="Visualization"] [role="tab"][aria-selected="true"]'

/** The tabs appear somewhat later than the values are requested: React draws waiting parts at most each half second. */
const DEADLINE_MS = 2000

/** Whether h5web is about to show a table. */
export async function showsTable(): Promise<boolean> {
  const deadline = performance.now() + DEADLINE_MS
  while (performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 20))
    // Tabs of the former view are hidden until the new ones are drawn.
    const tab = document.querySelector(TAB)
    if (tab && tab.getClientRects().length > 0) return WITHOUT_IMAGE.has(tab.textContent)
  }
  return false
}
