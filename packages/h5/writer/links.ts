// The links of a group. Those that the file cannot have are left out, with a warning.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import { encodeLink, type LinkMessage, type LinkTarget } from '../format/messages/link.ts'
import { characterSetOf, encodeName } from '../format/messages/names.ts'
import type { Steps } from '../steps.ts'
import { DenseMembers, LINKS, type Member, type MemberMessages } from './dense-members.ts'
import type { FileContext } from './file-context.ts'
import { PlannedMembers, visitAll } from './members.ts'
import { encoded, encodedLength, requireMessageLength } from './messages.ts'
import type { SourceLink } from './source.ts'

export function* planLinks(context: FileContext, group: ObjectId): Steps<PlannedMembers> {
  const members: Member[] = []
  yield* visitAll(context.remembered.links(group), link => {
    const message = messageOf(context, group, link, members.length)
    if (!message) return undefined
    const length = encodedLength(writer => encodeLink(writer, message))
    members.push({ name: message.name, length })
    return undefined
  })
  return new PlannedMembers(LINKS, members, true)
}

/** The link messages in the order of creation. */
export async function* linkMessages(context: FileContext, group: ObjectId): AsyncGenerator<Uint8Array> {
  let creationOrder = 0
  for await (const link of context.remembered.links(group)) {
    if (isTurnOver()) await nextTurn()
    const message = messageOf(context, group, link, creationOrder)
    if (!message) continue
    creationOrder++
    yield encoded(writer => encodeLink(writer, message))
  }
}

/** Undefined: the file cannot have the link. */
function messageOf(
  context: FileContext,
  group: ObjectId,
  link: SourceLink,
  creationOrder: number,
): LinkMessage | undefined {
  context.throwIfAborted()
  const target = targetOf(context, group, link)
  const { title } = link
  return target && { name: encodeName(title), characterSet: characterSetOf(title), creationOrder, target }
}

/** Messages that are not in the header. */
export function denseLinks(context: FileContext, group: ObjectId): MemberMessages {
  async function* messages(wantsHuge: boolean): AsyncGenerator<Uint8Array> {
    for await (const message of linkMessages(context, group)) {
      if (DenseMembers.isHuge(LINKS, message.length) === wantsHuge) yield message
    }
  }
  return { managed: messages(false), huge: messages(true) }
}

function targetOf(
  context: FileContext,
  group: ObjectId,
  { title, target }: SourceLink,
): LinkTarget | undefined {
  if (target.class === 'H5L_TYPE_HARD') {
    const address = context.objects.addressOf(target.id)
    if (address !== undefined) return { class: 'hard', address }
  }
  const name = JSON.stringify(title)
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      context.lose(group, 'the link is left out, because the file does not have its object', title)
      return undefined
    case 'H5L_TYPE_SOFT': {
      const path = encodeName(target.h5path)
      return checked({ class: 'soft', path }, `the path of the link ${name}`, path.length)
    }
    case 'H5L_TYPE_EXTERNAL': {
      const file = encodeName(target.h5domain)
      const path = encodeName(target.h5path)
      return checked(
        { class: 'external', file, path },
        `the target of the link ${name}`,
        file.length + path.length + 3,
      )
    }
    case 'H5L_TYPE_USER_DEFINED':
      context.lose(group, 'the link is left out, because the data of user-defined links are not kept', title)
      return undefined
  }
}

function checked(target: LinkTarget, subject: string, length: number): LinkTarget {
  requireMessageLength(subject, length)
  return target
}
