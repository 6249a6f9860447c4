import type { ModelRequest } from '@agent/simulators/model';
import type { Forge } from './forge.ts';

/** What a run that gets ready does and others can see: a question, a notice, a search, its first step. */
export interface Sight {
  /** `question assumption rounding`, `notice Task understood`, `search figs`, `step`. */
  readonly name: string;
  /** What the model was sent; empty for the rest. */
  readonly text: string;
}

/** Watches a run get ready, and holds it where it is wanted. */
export interface PreparationSights {
  readonly onModelRequest: (request: ModelRequest) => Promise<void>;
  readonly onForgeRequest: (label: string) => Promise<void>;
  /** Everything so far, oldest first. */
  readonly seen: readonly Sight[];
  /** Holds all that match from now on; resolves when there is one. */
  readonly hold: (names: RegExp) => Promise<void>;
  readonly letGo: () => void;
  /** Notes what a test did in between. */
  readonly note: (name: string) => void;
}

/** On the one thread of the forge, which may be started later. */
export function createPreparationSights(findForge: () => Forge): PreparationSights {
  const seen: Sight[] = [];
  let held: { readonly names: RegExp; readonly met: () => void; readonly released: Promise<void> } | null =
    null;
  let release = (): void => {};

  async function see(name: string, text = ''): Promise<void> {
    seen.push({ name, text });
    if (held === null || !held.names.test(name)) return;
    held.met();
    await held.released;
  }

  return {
    seen,
    onModelRequest: async ({ body }) => {
      const text = JSON.stringify(body) ?? '';
      const name = nameQuestion(text);
      if (name !== null) await see(name, text);
    },
    onForgeRequest: async (label) => {
      const name = nameForgeRequest(decodeURIComponent(label), findForge);
      if (name !== null) await see(name);
    },
    hold: (names) => {
      const { promise: released, resolve } = Promise.withResolvers<void>();
      const { promise: met, resolve: meet } = Promise.withResolvers<void>();
      release = resolve;
      held = { names, met: meet, released };
      return met;
    },
    letGo: () => {
      held = null;
      release();
    },
    note: (name) => void seen.push({ name, text: '' }),
  };
}

/** Names what a model is asked, by the body of the request; null for what is neither a step nor before the first. */
export function nameQuestion(text: string): string | null {
  if (text.includes('You are a software engineer.')) return 'step';
  if (!text.includes('You prepare the work of a coding agent.')) return null;
  if (text.includes('Understand what a request asks for')) return 'question understanding';
  if (text.includes('Decide what has to be known')) return 'question needs';
  return `question assumption ${/\\nid: ([\w-]+)/.exec(text)?.[1]}`;
}

/** A search asks for issues first, and then for the other kind, which is not counted. */
function nameForgeRequest(label: string, findForge: () => Forge): string | null {
  const search = /^GET \S*\/issues\?\S*?(?:q|search)=([^+ &]+)/.exec(label);
  if (search !== null) return label.includes('is:pull-request') ? null : `search ${search[1]}`;
  if (!/^POST \S*\/(?:comments|notes)$/.test(label)) return null;
  const body = findForge().threads()[0]?.comments.at(-1)?.body;
  // Nothing but its status comment stands there yet.
  if (body === undefined) return null;
  const line = body.split('\n').find((one) => /^[^<\s]/.test(one));
  return `notice ${line?.replace(/^## \S+ /, '')}`;
}
