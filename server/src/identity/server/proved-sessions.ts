import type { Provider as ProviderType } from 'oidc-provider'
import { Provider } from './library.ts'

type Login = { accountId: string; proof?: string | undefined }
export type ProvedSession = InstanceType<ProviderType['Session']> & { proof?: string }

/** The library knows nothing of proofs (auth/proofs.ts): its sessions are taught to keep the one with which they began. */
export function keepProofs({ Session }: ProviderType): void {
  const model = Session as unknown as {
    IN_PAYLOAD: string[]
    prototype: { proof?: string | undefined; loginAccount(login: Login): void }
  }
  Object.defineProperty(model, 'IN_PAYLOAD', { value: [...model.IN_PAYLOAD, 'proof'] })
  const { loginAccount } = model.prototype
  model.prototype.loginAccount = function (login) {
    loginAccount.call(this, login)
    this.proof = login.proof ?? loginOfInteraction()?.proof
  }
}

/** Where the library finishes what began on the sign-in page, it hands on only what it knows of. */
function loginOfInteraction(): Login | undefined {
  return Provider.ctx?.oidc.entities.Interaction?.result?.login as Login | undefined
}
