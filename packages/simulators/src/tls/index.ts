export { createSelfSigned } from './create-self-signed.ts';
export { startTlsProxy, type TlsProxy } from './start-tls-proxy.ts';
