/**
 * Determines the addresses that the server listens on. This module is plain JavaScript, because the launcher
 * tests the port before anything is installed.
 */

const loopback = ['127.0.0.1', '::1']

/**
 * @param {string | undefined} host the setting HOST
 * @returns {(string | undefined)[]} the addresses to listen on, of which only the first is required;
 * undefined means every interface, including IPv6 if available
 */
export function listenAddresses(host) {
  if (host === undefined || host === 'localhost') return loopback
  return host === '::' ? [undefined] : [host]
}

/**
 * @param {string | undefined} code the system's error code
 * @returns {boolean} whether listening failed because the machine does not have the address, such as ::1 if
 * IPv6 is disabled
 */
export const isAddressMissing = (code) =>
  ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT'].includes(code ?? '')
