/**
 * Determines the addresses that the server listens on. This module is plain JavaScript, because the launcher tests the port
 * before anything is installed.
 */

const loopback = ['127.0.0.1', '::1']

/**
 * @param {string | undefined} host the setting HOST
 * @returns {(string | undefined)[]} the addresses to listen on, starting with the required one; undefined means every
 * interface, including IPv6 if available
 */
export function listenAddresses(host) {
  if (host === undefined || host === 'localhost') return loopback
  return host === '::' ? [undefined] : [host]
}

/**
 * @param {string | undefined} code the code of the system's error
 * @returns {boolean} whether listening failed because the machine does not have the address, such as ::1 without IPv6
 */
export const isAddressMissing = (code) =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'].includes(code ?? '')
