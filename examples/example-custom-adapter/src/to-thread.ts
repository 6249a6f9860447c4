import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Thread } from '@agent/platforms';
import { toAccount } from './task-file.ts';
import type { FoundTask } from './task-folder.ts';

/** A task of the folder as the daemon knows threads. */
export function toThread(
  { name, project }: { readonly name: string; readonly project: string },
  { path, number, file, createdAt, updatedAt }: FoundTask,
): Thread {
  const { title = basename(path), author, labels = [], assignees = [], state } = file.front.toJS() ?? {};
  return {
    key: { type: 'custom', platform: name, project, id: String(number) },
    id: basename(path),
    number,
    title: String(title),
    body: file.body,
    author: author === undefined ? null : toAccount(String(author)),
    labels: labels.map(String),
    assignees: assignees.map(toAccount),
    state: state === 'closed' ? 'closed' : 'open',
    commentCount: file.comments.length,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    url: pathToFileURL(path).href,
    confidential: false,
    changeRequest: null,
  };
}
