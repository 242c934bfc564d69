// The declarations of commands of rights: access control lists, owners and quotas.

import type { Command } from 'commander'
import type { AclOptions, OwnerOptions, ShowAclOptions } from '../commands/acl.ts'
import type { ListQuotaOptions, QuotaOptions, SetQuotaOptions } from '../commands/quota.ts'
import { examples } from './examples.ts'
import { PROGRESS, withService } from './with-settings.ts'

const PATH = 'a folder or domain, such as /lab or /lab/run7.h5, or archive/lab in another bucket'
const RECURSIVE = 'of all domains and folders below, too'

const QUOTA_HELP = `
A quota limits what the domains below a folder, at any depth, or those of an owner may hold. A write that would exceed it gets 507. It
may be below what is used: then only what needs more is refused. Administrators set and remove quotas.`

export function addAclCommands(program: Command): void {
  const acl = program.command('acl').description('access control lists of domains and folders')
  withService(acl.command('show'))
    .description('print the items of a list, as `acl set` takes them')
    .argument('<PATH>', PATH)
    .option('--json', 'a line of JSON for each', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab acl show /lab',
        'hyperslab acl show /lab/run7.h5',
        'hyperslab acl show /lab --json',
      ),
    )
    .action(async (path: string, options: ShowAclOptions) => {
      const { showAcl } = await import('../commands/acl.ts')
      await showAcl(path, options)
    })
  withService(acl.command('set'))
    .description('say what a user may do; permissions that are not named are taken away')
    .argument('<PATH>', PATH)
    .argument('<USER>', 'a user, g:NAME for a group of users, or default for everybody')
    .argument(
      '<PERMISSIONS>',
      'all, none or a comma list of create, read, update, delete, readACL, updateACL',
    )
    .option('-r, --recursive', RECURSIVE, false)
    .option('--progress', PROGRESS, false)
    .addHelpText(
      'after',
      examples(
        'hyperslab acl set /lab bob read',
        'hyperslab acl set -r /lab g:lab create,read,update,delete',
        'hyperslab acl set /lab/run7.h5 default none',
      ),
    )
    .action(async (path: string, user: string, permissions: string, options: AclOptions) => {
      const { setAcl } = await import('../commands/acl.ts')
      await setAcl(path, user, permissions, options)
    })
  withService(acl.command('remove'))
    .description('remove the item of a user, for which that of everybody holds then')
    .argument('<PATH>', PATH)
    .argument('<USER>', 'the user of the item')
    .option('-r, --recursive', RECURSIVE, false)
    .option('--progress', PROGRESS, false)
    .addHelpText(
      'after',
      examples(
        'hyperslab acl remove /lab bob',
        'hyperslab acl remove -r /lab g:lab',
        'hyperslab acl remove /lab/run7.h5 default',
      ),
    )
    .action(async (path: string, user: string, options: AclOptions) => {
      const { removeAcl } = await import('../commands/acl.ts')
      await removeAcl(path, user, options)
    })
}

export function addOwnerCommand(program: Command): void {
  withService(program.command('chown'))
    .description('give a domain or folder to another user, for administrators')
    .argument('<USER>', 'the new owner, which gets all permissions; those of the former owner are removed')
    .argument('<PATH>', PATH)
    .option('-r, --recursive', RECURSIVE, false)
    .option('--owned-by <USER>', 'only what belongs to this user')
    .option('--progress', PROGRESS, false)
    .addHelpText(
      'after',
      examples(
        'hyperslab chown bob /home/ann/run7.h5',
        'hyperslab chown -r bob /home/ann',
        'hyperslab chown -r --owned-by ann bob /lab',
      ),
    )
    .action(async (owner: string, path: string, options: OwnerOptions) => {
      const { setOwner } = await import('../commands/acl.ts')
      await setOwner(path, owner, options)
    })
}

export function addQuotaCommands(program: Command): void {
  const quota = program
    .command('quota')
    .description('limits of what folders and owners may hold')
    .addHelpText('after', QUOTA_HELP)
  withService(quota.command('list'))
    .description('list the quotas with what is used of them; users see those on what they own')
    .option('--json', 'one line of JSON instead of a table', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab quota list',
        'hyperslab quota list --json',
        'hyperslab quota list --data /srv/data',
      ),
    )
    .action(async (options: ListQuotaOptions) => {
      const { listQuotas } = await import('../commands/quota.ts')
      await listQuotas(options)
    })
  withService(quota.command('set'))
    .description('set the quota of a folder or of an owner')
    .argument('[FOLDER]', 'a folder such as /home, or archive/home in another bucket')
    .option('--owner <NAME>', 'the domains that belong to this user, instead of a folder')
    .option('--bytes <SIZE>', 'bytes of values and of the records of objects: 5000, 20G, 1.5Ti')
    .option('--objects <NUMBER>', 'groups, datasets and committed datatypes: 5000, 20M')
    .addHelpText(
      'after',
      examples(
        'hyperslab quota set /home --bytes 20T',
        'hyperslab quota set --owner ann --bytes 500G --objects 1M',
        'hyperslab quota set / --bytes 100T',
      ),
    )
    .action(async (folder: string | undefined, options: SetQuotaOptions) => {
      const { setQuota } = await import('../commands/quota.ts')
      await setQuota(folder, options)
    })
  withService(quota.command('remove'))
    .description('remove the quota of a folder or of an owner')
    .argument('[FOLDER]', 'the folder')
    .option('--owner <NAME>', 'the owner, instead of a folder')
    .addHelpText(
      'after',
      examples(
        'hyperslab quota remove /home',
        'hyperslab quota remove --owner ann',
        'hyperslab quota remove archive/home',
      ),
    )
    .action(async (folder: string | undefined, options: QuotaOptions) => {
      const { removeQuota } = await import('../commands/quota.ts')
      await removeQuota(folder, options)
    })
}
