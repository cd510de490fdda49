import type { ObjectRef } from '@pothos/core'
import { builder, type Types } from './builder'

/** What a mutation answers that makes a secret: the thing it belongs to, and the secret, which is never to be had again. */
export type WithSecret<Row> = { thing: Row; secret: string | null | undefined }

/**
 * The payload type of a mutation that makes a secret. A text alone could neither grow nor say which record to revoke later.
 * See decision 165.
 * @param name as in `ProjectTokenCreatePayload`
 * @param field the thing: its name in the payload, its type and what it is
 * @param secret what it is, and when it is null
 */
export function defineSecretPayload<Row>(
  name: string,
  field: { name: string; type: ObjectRef<Types, Row>; description: string },
  secret: string,
) {
  return builder.objectRef<WithSecret<Row>>(name).implement({
    description: 'What was made, and its secret, this once.',
    fields: (t) => ({
      [field.name]: t.field({
        type: field.type,
        description: field.description,
        resolve: ({ thing }) => thing as never,
      }),
      secret: t.exposeString('secret', { nullable: true, description: secret }),
    }),
  })
}
