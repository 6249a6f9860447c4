import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallOptions } from '@agent/platforms';
import { z } from 'zod';
import type { GitLogin } from '../git/git-environment.ts';
import { askForLogin, type GitContext } from '../git/git-repository.ts';
import { WorkspaceError } from '../workspace-error.ts';

/** A file that is kept outside of git: its SHA-256 and its size in bytes. */
export interface LfsObject {
  readonly oid: string;
  readonly size: number;
}

const mostPointerBytes = 1_024;

/**
 * Reads the pointer that stands in git for an object; null for any other content.
 *
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
 */
export function parsePointer(content: Uint8Array): LfsObject | null {
  if (content.length > mostPointerBytes) return null;
  const [version, ...lines] = Buffer.from(content).toString('utf8').split('\n');
  if (version !== 'version https://git-lfs.github.com/spec/v1') return null;
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const oid = /^sha256:([0-9a-f]{64})$/.exec(fields.get('oid') ?? '')?.[1];
  const size = /^\d{1,15}$/.test(fields.get('size') ?? '') ? Number(fields.get('size')) : null;
  return oid === undefined || size === null ? null : { oid, size };
}

const actionSchema = z.object({ href: z.url(), header: z.record(z.string(), z.string()).nullish() });
const answerSchema = z.object({
  objects: z.array(
    z.object({ oid: z.string(), actions: z.object({ download: actionSchema.nullish() }).nullish() }),
  ),
});

/** Way to an object: an address, and the headers that are sent there. */
type Download = Readonly<{ href: string; headers: Readonly<Record<string, string>> }>;

/** Most objects that one request asks for. */
export const batchSize = 100;

interface BatchOptions extends CallOptions {
  readonly server: URL;
  readonly objects: readonly LfsObject[];
}

/**
 * Asks where objects are, at most 100 of them, with the login of the server; one that is refused is replaced once. The login goes to that server alone.
 *
 * @returns those that the server has, by their oid
 * @throws WorkspaceError `unavailable`
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md
 */
export async function findDownloads(
  context: GitContext,
  { server, objects, signal }: BatchOptions,
): Promise<ReadonlyMap<string, Download>> {
  const asked = { cloneUrl: server.href, signal };
  const first = await askForLogin(context, asked);
  const ask = (login: GitLogin | null) => askBatch(context, { server, objects, signal, login });
  let login = first;
  let response = await ask(first);
  if (response.status === 401 && first !== null) {
    login = await askForLogin(context, { ...asked, refused: first.token });
    if (login?.token !== first.token) response = await ask(login);
  }
  const answer = response.ok ? answerSchema.safeParse(await response.json().catch(() => null)) : null;
  if (answer?.success !== true) throw unavailable(`${server.host} answered ${response.status}`);
  const found = new Map<string, Download>();
  for (const { oid, actions } of answer.data.objects) {
    const { href = '', header } = actions?.download ?? {};
    const target = URL.canParse(href) ? new URL(href) : null;
    // Nothing is read without TLS that was asked for with it.
    if (target === null || !(target.protocol === 'https:' || target.protocol === server.protocol)) continue;
    const names = Object.keys(header ?? {}).map((name) => name.toLowerCase());
    const isAsked = target.origin === server.origin && !names.includes('authorization');
    found.set(oid, { href, headers: { ...(isAsked ? toHeaders(login) : {}), ...header } });
  }
  return found;
}

async function askBatch(
  context: GitContext,
  { server, objects, login, signal }: BatchOptions & { readonly login: GitLogin | null },
): Promise<Response> {
  const path = server.pathname.replace(/\/$/, '');
  const url = new URL(`${path.endsWith('.git') ? path : `${path}.git`}/info/lfs/objects/batch`, server);
  const type = 'application/vnd.git-lfs+json';
  const wanted = objects.map(({ oid, size }) => ({ oid, size }));
  return context
    .fetch(url, {
      method: 'POST',
      headers: { accept: type, 'content-type': type, ...toHeaders(login) },
      body: JSON.stringify({ operation: 'download', transfers: ['basic'], objects: wanted }),
      redirect: 'manual',
      signal: untilTimeout(context, signal),
    })
    .catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw unavailable(`${server.host} cannot be reached`, cause);
    });
}

function toHeaders(login: GitLogin | null): Readonly<Record<string, string>> {
  if (login === null) return {};
  return { authorization: `Basic ${Buffer.from(`${login.username}:${login.token}`).toString('base64')}` };
}

/** Downloads an object into a new file. @throws WorkspaceError `unavailable` where it is not what was asked for; what the disk says */
export async function download(
  context: GitContext,
  { href, headers }: Download,
  { object, file, signal }: { readonly object: LfsObject; readonly file: string } & CallOptions,
): Promise<void> {
  const until = untilTimeout(context, signal);
  try {
    const response = await context.fetch(href, { headers, signal: until });
    if (!response.ok || response.body === null) throw unavailable(`the download answered ${response.status}`);
    const check = createObjectCheck(object);
    const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.fromWeb(response.body as never), check, target, { signal: until });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof WorkspaceError || isOfDisk(cause)) throw cause;
    throw unavailable('the download is incomplete', cause);
  }
}

const isOfDisk = (error: unknown) =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(String((error as { code?: unknown }).code));

/** Creates a stream that fails for more, less or other bytes than those of an object. */
export function createObjectCheck({ oid, size }: LfsObject): Transform {
  const hash = createHash('sha256');
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seen += chunk.length;
      hash.update(chunk);
      if (seen > size) done(unavailable('it is larger than its pointer says'));
      else done(null, chunk);
    },
    flush(done) {
      done(
        seen === size && hash.digest('hex') === oid
          ? null
          : unavailable('its content does not match its pointer'),
      );
    },
  });
}

function untilTimeout({ timeoutMs }: GitContext, signal: AbortSignal | undefined): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]);
}

function unavailable(why: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError(`A Git LFS object could not be downloaded: ${why}.`, {
    code: 'unavailable',
    cause,
  });
}
