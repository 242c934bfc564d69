// The clipboard, also where browsers have none for pages: they have it for pages of https and of this machine only.

/**
 * Gives the page and the viewer `navigator.clipboard.writeText`, if the browser has none. It works for a click or a key
 * only.
 */
export function provideClipboard(): void {
  if ('clipboard' in navigator) return
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
}

async function writeText(text: string): Promise<void> {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'hidden'
  const active = document.activeElement
  // Text outside of an open dialog cannot be selected.
  const place = document.querySelector('dialog:modal') ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (active instanceof HTMLElement) active.focus()
  if (!isCopied) throw new Error('The browser does not let the page copy: select the text, and copy it.')
}
