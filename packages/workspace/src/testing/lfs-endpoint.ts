import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

/** Objects of LFS that a git server has, and the way to them. */
export interface LfsEndpoint {
  /** Adds one, and gives the pointer that stands for it. */
  readonly add: (content: string) => string;
  /** Contents that are given in the place of objects, by their oid. */
  readonly replaced: Map<string, string>;
  /** Address of the server that gives the objects out; null for the same one. */
  storage: string | null;
  /** Oids that were asked for, in their order. */
  readonly asked: readonly string[];
}

/** Header without which no object is given out: the batch API has told it. */
const ticket = { 'x-ticket': 'opens-one-object' };

/** @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md */
export function createLfsEndpoint(own: () => string) {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const endpoint: LfsEndpoint = {
    add: (content) => {
      const oid = createHash('sha256').update(content).digest('hex');
      objects.set(oid, Buffer.from(content));
      const size = Buffer.byteLength(content);
      return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
    },
    replaced: new Map(),
    storage: null,
    asked,
  };
  return {
    endpoint,
    /** Gives an object to who has the ticket; false for any other request. */
    giveOut: ({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean => {
      const oid = /^\/objects\/([0-9a-f]{64})$/.exec(url)?.[1];
      if (oid === undefined) return false;
      const content = endpoint.replaced.get(oid) ?? objects.get(oid);
      const isOpen = headers['x-ticket'] === ticket['x-ticket'] && content !== undefined;
      response.writeHead(isOpen ? 200 : 404).end(isOpen ? content : '');
      return true;
    },
    /** Answers a batch; false for any other request. */
    answerBatch: async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
      if (!request.url?.endsWith('.git/info/lfs/objects/batch')) return false;
      const wanted = (await json(request)) as { objects: { oid: string; size: number }[] };
      asked.push(...wanted.objects.map(({ oid }) => oid));
      const answer = wanted.objects.map(({ oid, size }) => {
        const href = `${endpoint.storage ?? own()}/objects/${oid}`;
        return objects.has(oid)
          ? { oid, size, actions: { download: { href, header: ticket } } }
          : { oid, size, error: { code: 404, message: 'There is no such object.' } };
      });
      response.writeHead(200, { 'content-type': 'application/vnd.git-lfs+json' });
      response.end(JSON.stringify({ transfer: 'basic', objects: answer }));
      return true;
    },
  };
}
