import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import type { Misbehavior } from './misbehavior.ts';

const recordSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('user'), texts: z.array(z.string()) }),
  z.object({ role: z.literal('assistant'), text: z.string() }),
  z.object({ role: z.literal('tool'), id: z.string(), title: z.string() }),
]);

/** Line of the conversation of a session. */
export type SessionRecord = z.infer<typeof recordSchema>;

/** Conversations of an agent's sessions, as it keeps them. */
export interface SessionFiles {
  readonly has: (id: string) => boolean;
  /** Synced when it returns: what was not written before a death is lost. */
  readonly append: (id: string, record: SessionRecord) => void;
  readonly read: (id: string) => readonly SessionRecord[];
  /** Ids, oldest first. */
  readonly list: () => readonly string[];
  /** Begins a session. @returns its id */
  readonly begin: () => string;
}

/** Opens the sessions that are kept in a directory. */
export function openSessionFiles(directory: string): SessionFiles {
  mkdirSync(directory, { recursive: true });
  const toPath = (id: string) => join(directory, `${id}.jsonl`);
  const list = () =>
    readdirSync(directory)
      .map((name) => name.replace('.jsonl', ''))
      .sort();
  const append: SessionFiles['append'] = (id, record) =>
    appendFileSync(toPath(id), `${JSON.stringify(record)}\n`);
  return {
    has: (id) => existsSync(toPath(id)),
    append,
    read: (id) =>
      readFileSync(toPath(id), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => recordSchema.parse(JSON.parse(line))),
    list,
    begin: () => {
      const id = `session-${String(list().length + 1).padStart(4, '0')}`;
      appendFileSync(toPath(id), '');
      return id;
    },
  };
}

/** Gives the updates by which an agent replays a line, as well as it does. */
export function toReplay(
  record: SessionRecord,
  replays: Misbehavior['replays'] = 'all',
): readonly SessionUpdate[] {
  switch (record.role) {
    case 'user':
      return record.texts.flatMap((text) =>
        spoil(text, replays).map((said) => toChunk('user_message_chunk', said)),
      );
    case 'assistant':
      return [toChunk('agent_message_chunk', record.text)];
    case 'tool':
      return [
        { sessionUpdate: 'tool_call', toolCallId: record.id, title: record.title, status: 'completed' },
      ];
  }
}

/** Gives a text as it is replayed, in chunks. */
function spoil(text: string, replays: Misbehavior['replays']): readonly string[] {
  const half = Math.floor(text.length / 2);
  switch (replays) {
    case 'all':
      return [text];
    case 'nothing':
      return [];
    case 'half':
      return [text.slice(half)];
    case 'halves':
      return [text.slice(0, half), text.slice(half)];
    case 'marks':
      return [...text.matchAll(/\[message [0-9a-f]{16}\]/gu)].map(([mark]) => mark);
    case 'alien':
      return ['Another user wrote this.\n\n[message 0123456789abcdef]'];
  }
}

/** Gives the update for words of the user or of the agent. */
export function toChunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk',
  text: string,
): SessionUpdate {
  return { sessionUpdate, content: { type: 'text', text } };
}
