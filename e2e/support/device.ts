/** The device authorization response, and the ID of the client that was registered for the device. */
export type StartedDevice = {
  device_code: string
  user_code: string
  verification_uri_complete: string
  clientId: string
}

/** Registers a client for a device, without a user, and starts the device flow (RFC 8628 section 3.1). */
export async function startDevice(baseURL: string | undefined, scope: string): Promise<StartedDevice> {
  const registered = await fetch(new URL('/oauth/register', baseURL), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Television',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const answer = await fetch(new URL('/oauth/device/auth', baseURL), {
    method: 'POST',
    body: new URLSearchParams({ client_id, scope }),
  })
  return { ...((await answer.json()) as Omit<StartedDevice, 'clientId'>), clientId: client_id }
}
