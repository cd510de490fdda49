// Signing in by passkey: a form with `data-passkey="/path"` gets options there, asks the browser, and sends the answer
// in its field `response`. Listens on the document, so it does not matter when the markup arrives.
const toBytes = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')

async function fetchOptions(path) {
  const answer = await fetch(path, { method: 'POST' })
  const options = await answer.json()
  if (!answer.ok) throw new Error(options.error)
  return {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map((known) => ({ ...known, id: toBytes(known.id) })),
  }
}

async function ask(path) {
  if (!window.PublicKeyCredential) throw new Error('This browser does not know passkeys. Use another way.')
  const publicKey = await fetchOptions(path)
  const { id, rawId, type, response } = await navigator.credentials.get({ publicKey })
  return JSON.stringify({
    id,
    rawId: toText(rawId),
    type,
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      userHandle: response.userHandle ? toText(response.userHandle) : null,
    },
    clientExtensionResults: {},
  })
}

/** What the browser says in code, in words; it does not tell a refusal from a device without a fitting passkey. */
function explain(error) {
  if (error.name === 'NotAllowedError') return 'The passkey was not used. Try again, or use another way.'
  if (error.name === 'SecurityError') return 'Passkeys do not work at this address. Use another way.'
  return error.message
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  const path = form.dataset.passkey
  if (!path) return
  event.preventDefault()
  const button = form.querySelector('button')
  const note = form.querySelector('[data-passkey-note]')
  button.disabled = true
  note.hidden = true
  try {
    form.elements.response.value = await ask(path)
    form.submit()
  } catch (error) {
    note.textContent = explain(error)
    note.hidden = false
    button.disabled = false
  }
})
