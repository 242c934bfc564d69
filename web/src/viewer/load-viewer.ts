// The viewer, which is six times as large as the rest of the page: it is loaded when a domain is opened, or is about to
// be.

export type ViewerComponent = typeof import('./Viewer.tsx')['Viewer']

/** The component, one for all domains; undefined: not loaded yet. */
export let loadedViewer: ViewerComponent | undefined

export async function loadViewer(): Promise<ViewerComponent> {
  const module = await import('./Viewer.tsx')
  loadedViewer = module.Viewer
  return module.Viewer
}

/** Begins to load it. One that needs it loads it again, and sees the error. */
export function preloadViewer(): void {
  loadViewer().catch(() => undefined)
}
