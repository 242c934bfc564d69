// Logging in at identity providers, and out of them: the browser goes to the provider, which sends it back to the place
// where the user is.

import type { Api } from '@hyperslab/client'
import { useEffect, useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { Dialog } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import { connectOnce } from '../shell/connect.ts'
import { providerOffer } from './login.ts'

/** A button for each provider; one that is away has a sentence instead. */
export function ProviderButtons() {
  const [providers, setProviders] = useState<Api.ProviderList['providers']>([])
  const [{ error }, run] = useAction()
  useEffect(() => {
    void run(async () => {
      const answer = await connectOnce().request('GET /providers', {})
      setProviders(answer.providers)
    })
  }, [run])
  if (providers.length === 0) return <Alert message={error} />
  return (
    <div className="providers">
      {providers.map(provider => {
        const { text, address } = providerOffer(provider, window.location)
        return address === undefined ? (
          <p key={provider.name}>{text}</p>
        ) : (
          <button type="button" key={provider.name} onClick={() => window.location.assign(address)}>
            {text}
          </button>
        )
      })}
    </div>
  )
}

export interface LogoutOfferProps {
  /** The address of the logout at the provider. */
  readonly address: string
  readonly close: () => void
}

/** The session has ended, and the login at the provider has not. */
export function LogoutOffer({ address, close }: LogoutOfferProps) {
  return (
    <Dialog title="You are logged out here" close={close}>
      <p>
        You are still logged in at {new URL(address).host}. On a computer that others use, log out there, too:
        otherwise the next person can log in as you.
      </p>
      <div className="buttons">
        <button type="button" onClick={close}>
          Stay logged in there
        </button>
        <button type="button" onClick={() => window.location.assign(address)}>
          Log out there, too
        </button>
      </div>
    </Dialog>
  )
}
