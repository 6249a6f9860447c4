import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  findNetworkFailure,
  isCertificateCode,
  isPassingNetworkCode,
  sortNetworkCode,
} from './network-failure.ts';

/** Port of a server that closes each connection at once. */
async function openClosingServer(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, [Symbol.asyncDispose]: close };
}

describe('findNetworkFailure', () => {
  it('reads what fetch rejects with', async () => {
    let freed = 0;
    {
      await using server = await openClosingServer();
      freed = server.port;
      const url = `http://127.0.0.1:${server.port}`;
      expect(await fetch(url).catch(findNetworkFailure)).toBe('broken');
      expect(await fetch(url.replace('http', 'https')).catch(findNetworkFailure)).toBe('broken');
    }
    expect(await fetch(`http://127.0.0.1:${freed}`).catch(findNetworkFailure)).toBe('refused');
    expect(await fetch('http://127.0.0.1:9').catch(findNetworkFailure)).toBe('blocked-port');
  });

  it('finds no failure of a network in other errors', () => {
    expect(findNetworkFailure(new TypeError('x is not a function'))).toBeNull();
    expect(findNetworkFailure(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toBeNull();
    expect(findNetworkFailure('ECONNREFUSED')).toBeNull();
    const looped = new Error('loop');
    looped.cause = looped;
    expect(findNetworkFailure(looped)).toBeNull();
  });
});

describe('sortNetworkCode', () => {
  it.each([
    ...(['ECONNREFUSED', 'ConnectionRefused', 'FailedToOpenSocket'] as const).map((code) => [
      code,
      'refused',
    ]),
    ...(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'DNS_ENOTFOUND'] as const).map((code) => [
      code,
      'unknown-host',
    ]),
    ...(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'TimedOut'] as const).map((code) => [code, 'timeout']),
    ...(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_ABORTED', 'HPE_INVALID_CONSTANT'] as const).map(
      (code) => [code, 'broken'],
    ),
    ...(['ConnectionClosed', 'ConnectionReset', 'BrokenPipe'] as const).map((code) => [code, 'broken']),
    ...(['EHOSTUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'] as const).map((code) => [code, 'no-route']),
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted-certificate'],
    ['CERT_HAS_EXPIRED', 'expired-certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'other-name'],
    ['EPROTO', 'no-tls'],
    ['UND_ERR_PRX_TLS', 'proxy'],
  ])('sorts %s as %s', (code, kind) => {
    expect(sortNetworkCode(code)).toBe(kind);
  });

  it.each(['ENOENT', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'ERR_INVALID_URL', '', null, 7])(
    'sorts %s as no failure of a network',
    (code) => {
      expect(sortNetworkCode(code)).toBeNull();
      expect(isPassingNetworkCode(code) || isCertificateCode(code)).toBe(false);
    },
  );

  it('tells failures that pass from certificates and refusals of the system', () => {
    expect(['ECONNRESET', 'EAI_AGAIN', 'ENETUNREACH'].every(isPassingNetworkCode)).toBe(true);
    expect(['CERT_REVOKED', 'EACCES', 'EPROTO', 'bad port'].some(isPassingNetworkCode)).toBe(false);
    expect(['CERT_REVOKED', 'CRL_HAS_EXPIRED', 'HOSTNAME_MISMATCH'].every(isCertificateCode)).toBe(true);
  });
});
