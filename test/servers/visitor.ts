// A browser without pages: it keeps cookies, and follows redirects step by step, so that a test can take one of them.

export interface Visit {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export class Visitor {
  /** Cookies by their names: those of all ports of this machine, as in a browser. */
  readonly cookies = new Map<string, string>()

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Sends one request; a redirect is not followed. */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    return this.send('GET', url, { accept: 'text/html', ...headers })
  }

  async send(method: string, url: string, headers: Readonly<Record<string, string>>): Promise<Visit> {
    const reply = await fetch(url, {
      method,
      headers: { cookie: this.cookie, ...headers },
      redirect: 'manual',
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: reply.status, url, headers: reply.headers, text: await reply.text() }
  }

  /** Follows redirects to an answer that is none, or to the first one to an address that begins with `until`. */
  async visit(url: string, until?: string): Promise<Visit> {
    let visit = await this.get(url)
    for (let steps = 0; visit.status >= 300 && visit.status < 400; steps++) {
      const next = new URL(visit.headers.get('location') ?? '', visit.url).href
      if (steps > 20) throw new Error(`${url} redirects without an end`)
      if (until !== undefined && next.startsWith(until)) return { ...visit, url: next }
      visit = await this.get(next)
    }
    return visit
  }
}
