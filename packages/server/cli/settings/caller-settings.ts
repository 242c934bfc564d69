// Settings about callers: the proxies that report their addresses, and their budgets.

import { BUDGET_PARTS, type Budget, type BudgetPart } from '../../http/connection/caller-budgets.ts'
import { parseNetwork } from '../../http/connection/client-address.ts'
import { list, type Setting } from './setting.ts'

export function networks(help: string): Setting<readonly string[]> {
  const setting = list('', 'networks', help)
  return {
    ...setting,
    rule: 'a list of addresses and networks, separated by commas, such as "127.0.0.1" or "10.0.0.0/8"',
    parse(value) {
      const given = setting.parse(value)
      return given?.every(text => parseNetwork(text) !== undefined) ? given : undefined
    },
  }
}

const PARTS = Object.keys(BUDGET_PARTS).filter(isPart)

/** Each line is a budget, such as `anonymous requests=600 bytes=20G`. */
export function budgets(help: string): Setting<readonly Budget[]> {
  return {
    default: '',
    placeholder: 'BUDGET',
    help,
    rule: `anonymous, users or @group, a space, and parts such as "requests=600 bytes=20G", of ${PARTS.join(', ')}; one budget for each`,
    repeatable: true,
    parse(text) {
      const lines = text.split('\n').filter(line => line !== '')
      const parsed = lines.flatMap(line => parseBudget(line) ?? [])
      const names = new Set(parsed.map(({ callers }) => callers))
      return parsed.length === lines.length && names.size === parsed.length ? parsed : undefined
    },
  }
}

function parseBudget(line: string): Budget | undefined {
  const [callers = '', ...parts] = line.trim().split(/\s+/)
  const most = parts.flatMap(part => {
    const [name = '', amount = '', ...more] = part.split('=')
    const number = parseAmount(amount)
    return isPart(name) && number !== undefined && more.length === 0 ? [[name, number] as const] : []
  })
  const isWhole = most.length === parts.length && new Map(most).size === parts.length && parts.length > 0
  if (!isWhole || !/^(anonymous|users|@.+)$/.test(callers)) return undefined
  return { callers, most: Object.fromEntries(most) }
}

const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 }

/** A number with a factor of a thousand and its powers. */
function parseAmount(text: string): number | undefined {
  const [, digits, factor = ''] = /^(\d+(?:\.\d+)?)([kMGT])?$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * FACTORS[factor]
}

function isPart(name: string): name is BudgetPart {
  return Object.hasOwn(BUDGET_PARTS, name)
}
