import type { ConversationView, Script } from '@agent/simulators/model';
import type { Forge, ForgeThread } from '../support/forge.ts';
import { createTalkingScript, type Goal } from './careful-script.ts';

/** A comment that somebody made while the run was under way. */
export interface SaidComment {
  readonly id: string;
  /** The word that it brings, after its edits. */
  readonly word: string;
  /** How it ends. */
  readonly end: CommentEnd;
}

/** `unseen`: deleted before anybody can have looked. */
export type CommentEnd = 'as written' | 'edited' | 'deleted' | 'unseen';

/** People who comment while a daemon works, each thing once, however often the daemon comes to the same place. */
export interface Talk {
  /** The model that writes a note for each thing that it is told of. */
  readonly script: Script;
  readonly onForgeRequest: (label: string) => void;
  /** Says on which thread it takes place. */
  readonly takePlaceOn: (forge: Forge, thread: ForgeThread) => void;
  readonly said: () => readonly SaidComment[];
}

/** What the model writes a note of. What an edit or a deletion takes back is not: a kill decides whether it was heard. */
export const steadyWords = ['CRIMSON', 'AMBER', 'INDIGO', 'LAVENDER', 'CYAN'];

/** A write on the thread itself: a question that is posted changes nothing. */
export const isFirstChange = /^(POST|PUT|PATCH) .*\/(issues|merge_requests)\//;
const isPush = /^POST .*git-receive-pack/;

export function createTalk(): Talk {
  const said = new Map<string, SaidComment>();
  const done = new Set<string>();
  let place: { readonly forge: Forge; readonly thread: ForgeThread } | null = null;

  function once(name: string, happen: (on: NonNullable<typeof place>) => void): void {
    if (place === null || done.has(name)) return;
    done.add(name);
    happen(place);
  }

  function say(word: string): void {
    once(word, ({ forge, thread }) => {
      const id = forge.comment(thread.reference, { author: 'alice', body: `Write a note of ${word}.` });
      said.set(word, { id, word, end: 'as written' });
    });
  }

  function edit(word: string, to: string): void {
    once(to, ({ forge }) => {
      const { id = '' } = said.get(word) ?? {};
      forge.editComment(id, `Write a note of ${to}.`);
      said.set(word, { id, word: to, end: 'edited' });
    });
  }

  function remove(word: string, end: CommentEnd): void {
    once(`without ${word}`, ({ forge }) => {
      const { id = '' } = said.get(word) ?? {};
      forge.deleteComment(id);
      said.set(word, { id, word, end });
    });
  }

  const script = createTalkingScript((view) => steadyWords.filter((word) => isTold(view, word)).map(toNote));
  return {
    script: (view) => {
      const calls = view.exchanges.length;
      // Counted from what the conversation shows: a kill makes the daemon ask twice, or look before it repeats a call.
      if (calls >= 2) for (const word of ['AMBER', 'TEAL', 'OLIVE', 'SILVER']) say(word);
      if (calls >= 2) remove('SILVER', 'unseen');
      if (calls >= 4) edit('TEAL', 'CYAN');
      if (calls >= 4) remove('OLIVE', 'deleted');
      if (calls >= 5) say('INDIGO');
      return script(view);
    },
    onForgeRequest: (label) => {
      if (isFirstChange.test(label)) say('CRIMSON');
      if (isPush.test(label)) say('LAVENDER');
    },
    takePlaceOn: (forge, thread) => {
      place = { forge, thread };
    },
    said: () => [...said.values()],
  };
}

function isTold({ messages }: ConversationView, word: string): boolean {
  return messages.some(({ role, text }) => role === 'user' && text.includes(word));
}

function toNote(word: string): Goal {
  // In small letters, so that the word itself stands in a request only where somebody said it.
  const name = word.toLowerCase();
  const input = { path: `notes/${name}.md`, content: `${name}\n` };
  return { call: { name: 'write_file', input }, look: null };
}
