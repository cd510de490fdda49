import type { GraphQLField } from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema } from '.'

/** Naming rules for operations and arguments, so that developers can guess the names. See ADR 0012. */
const verbs =
  /(Create|CreateWithDetails|Request|Cancel|Upsert|Update|Rename|Delete|Remove|Revoke|Restore|Transfer|Rotate|Resend|Test|Leave|Accept|MarkRead|MarkAllRead|Approve|Block|Withdraw|Decline|Install|Uninstall|Suspend|Resume|Verify|Finish)$/

/** Arguments of an operation in addition to IDs and `input`. */
const ofItsOwn: Record<string, string> = {
  apiLogoUpdate: 'picture',
  oauthAppLogoDelete: 'theme',
  oauthAppLogoUpdate: 'picture theme',
  userAvatarUpdate: 'picture',
  workspaceAppBlock: 'note',
  workspaceAppPolicyUpdate: 'policy',
  workspaceAppRequestDecline: 'note',
  workspaceRequiredApprovalsUpdate: 'requiresApprovalFor',
  workspaceInvitationAccept: 'token',
  workspaceTwoFactorUpdate: 'required',
}

const fieldsOf = (type: ReturnType<typeof schema.getMutationType>) =>
  Object.values(type?.getFields() ?? {}) as GraphQLField<unknown, unknown>[]
const mutations = fieldsOf(schema.getMutationType())

describe('an operation', () => {
  it('has a name that ends with an action if it is a mutation or a subscription', () => {
    expect(mutations.map(({ name }) => name).filter((name) => !verbs.test(name))).toEqual([])
    const followed = fieldsOf(schema.getSubscriptionType()).map(({ name }) => name)
    expect(followed.filter((name) => !/(Created|Updated)$/.test(name))).toEqual([])
  })

  it('has only ID arguments and an input argument if it is a mutation, with listed exceptions', () => {
    const others = mutations.flatMap(({ name, args }) => {
      const own = args.map((each) => each.name).filter((each) => !/^(id|ids|input|[a-z]+Id)$/.test(each))
      return own.length > 0 ? [[name, own.join(' ')]] : []
    })
    expect(Object.fromEntries(others)).toEqual(ofItsOwn)
  })

  it('has an input type named after the operation, except apiTokenCreateWithDetails', () => {
    const inputs = mutations.flatMap(({ name, args }) =>
      args.filter((each) => each.name === 'input').map(({ type }) => [name.toLowerCase(), String(type)]),
    )
    const strange = inputs.filter(([name, type]) => `${name}input` !== type?.toLowerCase().replace('!', ''))
    // Two mutations create the same token: the one in the contract, and the one that returns a payload.
    expect(strange).toEqual([['apitokencreatewithdetails', 'ApiTokenCreateInput!']])
  })

  it('returns a Boolean or a number if it removes records', () => {
    const removing = mutations.filter(({ name }) => /(Delete|Remove|Revoke|Leave)$/.test(name))
    expect(
      removing.filter(({ type }) => !/^(Boolean|Int)$/.test(String(type))).map(({ name }) => name),
    ).toEqual([])
  })
})
