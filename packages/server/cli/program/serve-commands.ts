// The declarations of commands that serve, or look at what `serve` would do.

import { resolve } from 'node:path'
import { isTopLevel, ROOT_FOLDER } from '@hyperslab/model/names'
import type { Command } from 'commander'
import { confirmNewFolder } from '../serve/confirm-new-folder.ts'
import { holdsFilesToServe, requireAnswer, stateFolderOf } from '../serve/folder-of-files.ts'
import { type CommandOptions, readSettings } from '../settings/config.ts'
import { ALL_SETTINGS, type Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'
import { examples } from './examples.ts'
import { settingsOf, withSettings } from './with-settings.ts'

const DOCTOR_HELP = `
Takes the settings of \`serve\`, and prints a line for each thing that it looks at: ok, note (you may want it otherwise), or wrong with
its remedy. It looks at Node, the data folder, its file system and disk, the limit of open files, the port, public_url with its
certificate, proxies, the database and the bucket, the access of callers without an account, and mounts. It changes nothing.

Exit codes: 0 nothing is wrong, 1 something is wrong, 2 the command or a setting is wrong.`

export function addServeCommands(program: Command): void {
  addServeCommand(program)
  addDoctorCommand(program)
  // The process that `serve` starts to learn what the file system of a new data folder can do.
  program
    .command('try-folder', { hidden: true })
    .argument('<DIR>')
    .action(async (folder: string) => {
      const { openTrial } = await import('../data-folder/file-system.ts')
      await openTrial(folder)
    })

  // The process that `doctor` starts to read a mounted folder, which may hang.
  program
    .command('try-mount', { hidden: true })
    .argument('<DIR>')
    .option('--file', 'it may be a file', false)
    .action(async (source: string, { file }: { file: boolean }) => {
      const { tryMount } = await import('../doctor/mounts.ts')
      await tryMount(source, file)
    })
}

function addServeCommand(program: Command): void {
  withSettings(program.command('serve'), ALL_SETTINGS)
    .description('serve a data folder, or a folder of HDF5 files, over HTTP')
    .argument(
      '[DIR]',
      'the data folder (default: data), or a folder of HDF5 files or one file, served where they are and never changed',
    )
    .addHelpText('after', settingsHelp())
    .addHelpText(
      'after',
      examples(
        'hyperslab serve',
        'hyperslab serve /data/hyperslab --port 8080',
        'hyperslab serve ~/measurements',
      ),
    )
    .action(async (folder: string | undefined, options: CommandOptions) => {
      if (folder !== undefined) {
        await requireAnswer(folder)
        await confirmNewFolder(folder)
      }
      const { serve } = await import('../serve/serve.ts')
      await serve(settingsToServe(options, folder))
    })
}

function addDoctorCommand(program: Command): void {
  withSettings(program.command('doctor'), ALL_SETTINGS)
    .description('say what is right and what is wrong with the machine and the settings of a service')
    .argument('[DIR]', 'the folder that is served (default: data)')
    .addHelpText('after', DOCTOR_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab doctor',
        'hyperslab doctor /data/hyperslab',
        'hyperslab doctor --port 8080 --public-url https://data.example.org',
      ),
    )
    .action(async (folder: string | undefined, options: CommandOptions) => {
      const { runDoctor } = await import('../doctor/doctor.ts')
      process.exitCode = await runDoctor(settingsToServe(options, folder))
    })
}

/** A folder of HDF5 files, or one such file, is mounted at the top level, and the data folder is elsewhere. */
function settingsToServe(options: CommandOptions, folder: string | undefined): Settings {
  if (folder === undefined || !holdsFilesToServe(folder)) return settingsOf(options, folder)
  const settings = readSettings(options, process.env, stateFolderOf(folder, process.env))
  if (settings.mount.some(({ path }) => isTopLevel(path))) {
    throw new UsageError(
      `${folder} is served at the top level, where "mount" puts another folder: leave one of them out`,
    )
  }
  return { ...settings, mount: [{ source: resolve(folder), path: ROOT_FOLDER }, ...settings.mount] }
}

function settingsHelp(): string {
  return `
If DIR holds HDF5 files and is no data folder, or is an HDF5 file, they are served at the top level. Nothing is written into DIR: what the server
stores itself is in $XDG_STATE_HOME/hyperslab (default: ~/.local/state/hyperslab), in a folder for each DIR, or in HYPERSLAB_DATA.

Every setting can also be set in the environment (--base-domain as HYPERSLAB_BASE_DOMAIN) or in the JSON file
("base_domain"). The option wins over the environment, the environment over the file.`
}
