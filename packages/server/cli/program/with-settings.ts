// The options of settings in the declarations of commands.

import { type Command, Option } from 'commander'
import { type CommandOptions, optionsOf, readSettings } from '../settings/config.ts'
import type { SettingName, Settings } from '../settings/table.ts'

/** Settings of the location of a store, beside its data folder. */
export const STORE_SETTINGS = ['records', 'blobs', 'blobCacheSize'] as const

/** The help of --progress. */
export const PROGRESS = 'say what is done after two seconds, also where there is no terminal'

/** Commands whose argument is the data folder. */
const TAKING_FOLDER = ['serve', 'doctor', 'check', 'copy']

/** Adds the options of the settings, and those that say where the settings are. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const { flags, help, repeatable } of optionsOf(names)) {
    const option = new Option(flags, help)
    if (repeatable) option.argParser((value, before?: readonly string[]) => [...(before ?? []), value])
    command.addOption(option)
  }
  if (!TAKING_FOLDER.includes(command.name()))
    command.option('--data <DIR>', 'the data folder (default: data)')
  return command.option(
    '--config <FILE>',
    'a JSON file of settings (default: config.json in the data folder)',
  )
}

export function settingsOf(options: CommandOptions, folder = options.data): Settings {
  return readSettings({ ...options, ...(folder !== undefined && { data: folder }) }, process.env)
}

/** The options of a command about data, which asks a running service or works on a store. */
export function withService(
  command: Command,
  settings: readonly SettingName[] = ['records', 'blobs'],
): Command {
  withSettings(command, settings)
  return command
    .option(
      '--endpoint <URL>',
      'the address of a running service, also HYPERSLAB_ENDPOINT; without it the data folder is used',
    )
    .option(
      '--user <NAME>',
      'the user there; the password, or a token, is read from HYPERSLAB_PASSWORD or the terminal (a token alone: HYPERSLAB_TOKEN)',
    )
}
