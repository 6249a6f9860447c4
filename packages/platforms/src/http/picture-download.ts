import { withinTimeLimit } from '@agent/text/waiting';
import type { RequestRecord } from '../model.ts';
import type { PictureSource } from '../picture-source.ts';
import { PlatformError } from '../platform-error.ts';
import type { Authorization } from './authorization.ts';

/** Rules of one platform. */
export interface UploadRules {
  /** Name of the platform, for messages. */
  readonly service: string;
  readonly locate: PictureSource['locate'];
  /** Tells whether an address is one that may be asked first. */
  readonly isUpload: (url: URL) => boolean;
  /** Tells whether the credential is for this address. */
  readonly isCredited: (url: URL) => boolean;
  /** Tells whether the platform may redirect there. */
  readonly isOwnHost: (url: URL) => boolean;
  readonly authorization: Pick<Authorization, 'authorize'>;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly onRequest: (record: RequestRecord) => void;
}

/** Creates it for a platform that keeps uploads at addresses of its own. */
export function createPictureSource(rules: UploadRules): PictureSource {
  return {
    locate: rules.locate,
    fetchPicture: (address, options) =>
      withinTimeLimit((signal) => fetchUpload(new URL(address), { ...rules, ...options, signal }), {
        timeoutMs: rules.timeoutMs,
        signal: options.signal,
        tooLong: () => failure('unavailable', `${rules.service} did not send it in time`),
      }),
  };
}

/** As many redirects are followed. */
const maxRedirects = 3;

interface UploadCall extends UploadRules {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function fetchUpload(address: URL, call: UploadCall): Promise<Uint8Array> {
  const { service, isUpload, isCredited, isOwnHost, authorization, signal } = call;
  if (!isUpload(address)) throw failure('invalid', `it is not an upload to ${service}`);
  const credited = authorization.authorize(call.fetch, { signal });
  let url = address;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    if (hop > 0 && !isOwnHost(url)) throw failure('invalid', `${service} redirects to another host`);
    // A signed address elsewhere needs no token, and refuses one.
    const ask = hop === 0 && isCredited(url) ? credited : call.fetch;
    const response = await send(ask, url, call);
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return readAnswer(response, call);
    await response.body?.cancel();
    const next = URL.parse(location, url.href);
    if (next === null) throw failure('invalid', `${service} redirects to nowhere`);
    url = next;
  }
  throw failure('unavailable', `${service} redirects too often`);
}

async function send(ask: typeof globalThis.fetch, url: URL, call: UploadCall): Promise<Response> {
  const { service, signal, onRequest } = call;
  const tell = (status: number | null) =>
    onRequest({ method: 'GET', route: 'GET upload', status, counted: status !== null });
  try {
    const response = await ask(url.href, { redirect: 'manual', signal, headers: { accept: 'image/*' } });
    tell(response.status);
    return response;
  } catch (cause) {
    tell(null);
    if (signal.aborted || cause instanceof PlatformError) throw cause;
    throw failure('unavailable', `${service} could not be reached`, cause);
  }
}

async function readAnswer(response: Response, { service, maxBytes }: UploadCall): Promise<Uint8Array> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    const code = response.status === 404 ? 'not-found' : 'unavailable';
    throw failure(code, `${service} answered ${response.status}`);
  }
  const announced = Number(response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  while (announced <= maxBytes && size <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    size += value.length;
  }
  await reader.cancel();
  throw failure('invalid', `it is larger than ${maxBytes} bytes`);
}

function failure(code: 'invalid' | 'not-found' | 'unavailable', why: string, cause?: unknown): PlatformError {
  return new PlatformError(`The picture cannot be shown: ${why}.`, { code, cause });
}
