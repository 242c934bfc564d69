// The header of an answer that browsers and programs save as a file, or show in a page.

/** The header with a name in ASCII, and the whole name (RFC 6266). */
export function attachment(
  name: string,
  kind: 'attachment' | 'inline' = 'attachment',
): { readonly 'Content-Disposition': string } {
  const plain = name.replace(/[^\w.-]+/g, '_')
  const encoded = plain === name ? name : percentEncoded(name)
  return { 'Content-Disposition': `${kind};filename="${plain}";filename*=UTF-8''${encoded}` }
}

function percentEncoded(name: string): string {
  return encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/['()*]/g, escape)
}
