/** As much as the tests use of two libraries that bring no types. */
declare module 'simple-oauth2' {
  type Token = Record<string, unknown> & { access_token: string; refresh_token: string; scope: string }
  export type AccessToken = {
    token: Token
    refresh(params?: object): Promise<AccessToken>
    revoke(which: 'access_token' | 'refresh_token'): Promise<void>
  }
  type Flow = { getToken(params: object): Promise<AccessToken> }
  export class AuthorizationCode implements Flow {
    constructor(config: object)
    authorizeURL(params: object): string
    getToken(params: object): Promise<AccessToken>
    createToken(token: object): AccessToken
  }
  export class ClientCredentials implements Flow {
    constructor(config: object)
    getToken(params: object): Promise<AccessToken>
  }
  export class ResourceOwnerPassword implements Flow {
    constructor(config: object)
    getToken(params: object): Promise<AccessToken>
  }
}

declare module 'passport-oauth2' {
  type Verify = (
    accessToken: string,
    refreshToken: string,
    params: Record<string, unknown>,
    profile: object,
    done: (error: unknown, user?: object) => void,
  ) => void
  export default class OAuth2Strategy {
    constructor(options: object, verify: Verify)
    authenticate(request: object, options?: object): void
    authorizationParams(options: object): object
    tokenParams(options: object): object
    redirect(url: string): void
    success(user: object): void
    fail(challenge: unknown): void
    error(error: unknown): void
  }
}
