/** Other names of requests that take a value of this name. */
const aliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['attempt_code', ['code']],
  ['user_id', ['userId']],
  ['userId', ['user_id']],
  ['team_id', ['teamId']],
  ['id', ['permissionId', 'teamId', 'sessionId', 'contactChannelId']],
  ['account_id', ['providerAccountId']],
  ['state', ['state']],
  ['value', ['api_key']],
])

/** Values from earlier answers by name, such as codes and ids, for the fuzzer's next requests. */
export class Met {
  readonly #values = new Map<string, string[]>()

  /** Every text in an answer. */
  see(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    // Users and keys are few among all objects with an id.
    if ('id' in value && 'primary_email' in value) this.see({ userId: value.id })
    if ('id' in value && ('is_public' in value || 'publishable_client_key' in value)) this.see({ apiKeyId: value.id })
    if ('id' in value && 'provider_config_id' in value) this.see({ oauthProviderId: value.id })
    if ('id' in value && 'recipient_email' in value) this.see({ invitationId: value.id })
    for (const [name, item] of Object.entries(value) as [string, unknown][]) {
      if (typeof item === 'string') for (const each of [name, ...(aliases.get(name) ?? [])]) this.#add(each, item)
      else this.see(item)
    }
  }

  seeLink(link: string): void {
    if (URL.canParse(link)) this.see(Object.fromEntries(new URL(link).searchParams))
  }

  /** One of the latest values of the name. */
  one(name: string, random: () => number): string | undefined {
    const values = this.#values.get(name) ?? []
    return values[Math.floor(random() * values.length)]
  }

  #add(name: string, value: string): void {
    const values = this.#values.get(name) ?? []
    values.push(value)
    this.#values.set(name, values.slice(-8))
  }
}
