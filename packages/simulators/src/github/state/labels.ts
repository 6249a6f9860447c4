import type { LabelChange } from '../../shared/label-change.ts';
import { takeId, timestamp } from './create-state.ts';
import type { Label, Repository, State, Thread, User } from './model.ts';
import { notFound, type ValidationDetail, validationFailed } from './refusal.ts';

/** Color of a label that came into being by being added to an issue. */
const defaultColor = 'ededed';
const maxNameCharacters = 50;
const maxDescriptionCharacters = 100;

/** Makes a label in the repository. @throws {Refusal} 422 already_exists, invalid color, too long */
export function createLabel(
  state: State,
  repository: Repository,
  label: LabelChange & { readonly name: string },
): Label {
  checkLabel(repository, label);
  const created: Label = {
    id: takeId(state),
    name: label.name,
    color: (label.color ?? defaultColor).toLowerCase(),
    description: label.description ?? null,
    isDefault: false,
  };
  repository.labels.set(label.name.toLowerCase(), created);
  return created;
}

/** Renames or recolors a label; threads that carry it follow. @throws {Refusal} 422 */
export function editLabel(repository: Repository, label: Label, change: LabelChange): void {
  const rename = change.name !== undefined && change.name.toLowerCase() !== label.name.toLowerCase();
  checkLabel(repository, rename ? change : { ...change, name: undefined });
  const before = label.name.toLowerCase();
  if (change.name !== undefined) label.name = change.name;
  if (change.color !== undefined) label.color = change.color.toLowerCase();
  if (change.description !== undefined) label.description = change.description;
  if (rename) rekey(repository, before, label);
}

/** Deletes a label and takes it off every thread. */
export function deleteLabel(repository: Repository, label: Label): void {
  const key = label.name.toLowerCase();
  repository.labels.delete(key);
  for (const thread of repository.threads.values()) thread.labels.delete(key);
}

/** @throws {Refusal} 404 */
export function findLabel(repository: Repository, name: string): Label {
  const label = repository.labels.get(name.toLowerCase());
  if (!label) throw notFound();
  return label;
}

/**
 * Adds labels to a thread, making in the repository those that it lacks. Does not bump `updated_at`.
 * @see https://docs.github.com/rest/issues/labels#add-labels-to-an-issue
 */
export function addLabels(
  state: State,
  thread: Thread,
  { names, by }: { readonly names: readonly string[]; readonly by: User },
): void {
  const { repository } = thread;
  for (const name of names) {
    const key = name.toLowerCase();
    const label = repository.labels.get(key) ?? createLabel(state, repository, { name });
    if (!thread.labels.has(key)) record(state, thread, { kind: 'labeled', label: label.name, actor: by });
    thread.labels.set(key, label);
  }
}

/** Takes a label off a thread. @throws {Refusal} 404 "Label does not exist" when it is not on it */
export function removeLabel(
  state: State,
  thread: Thread,
  { name, by }: { readonly name: string; readonly by: User },
): void {
  const label = thread.labels.get(name.toLowerCase());
  if (!thread.labels.delete(name.toLowerCase())) throw notFound('Label does not exist');
  record(state, thread, { kind: 'unlabeled', label: label?.name ?? name, actor: by });
}

/** Takes all labels off a thread. */
export function clearLabels(state: State, thread: Thread, { by }: { readonly by: User }): void {
  for (const { name } of [...thread.labels.values()]) removeLabel(state, thread, { name, by });
}

/** Makes these the labels of a thread; what is there already leaves no event. */
export function setLabels(
  state: State,
  thread: Thread,
  { names, by }: { readonly names: readonly string[]; readonly by: User },
): void {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  for (const { name } of [...thread.labels.values()])
    if (!wanted.has(name.toLowerCase())) removeLabel(state, thread, { name, by });
  addLabels(state, thread, { names, by });
}

function record(
  state: State,
  thread: Thread,
  event: { readonly kind: 'labeled' | 'unlabeled'; readonly label: string; readonly actor: User },
): void {
  thread.events.push({ id: takeId(state), createdAt: timestamp(state), ...event });
}

function checkLabel(repository: Repository, label: LabelChange): void {
  const problems: ValidationDetail[] = [];
  const problem = (code: ValidationDetail['code'], field: string, message?: string) =>
    problems.push({ resource: 'Label', code, field, ...(message ? { message } : {}) });
  const { name, color, description } = label;
  if (name?.trim() === '') problem('missing_field', 'name');
  if (name && [...name].length > maxNameCharacters)
    problem('custom', 'name', `name is too long (maximum is ${maxNameCharacters} characters)`);
  if (name && repository.labels.has(name.toLowerCase())) problem('already_exists', 'name');
  if (color !== undefined && !/^[0-9a-f]{6}$/i.test(color)) problem('invalid', 'color');
  if (description && [...description].length > maxDescriptionCharacters) {
    problem(
      'custom',
      'description',
      `description is too long (maximum is ${maxDescriptionCharacters} characters)`,
    );
  }
  if (problems.length > 0) throw validationFailed(...problems);
}

function rekey(repository: Repository, before: string, label: Label): void {
  const maps = [repository.labels, ...[...repository.threads.values()].map((thread) => thread.labels)];
  for (const labels of maps) {
    if (labels.delete(before)) labels.set(label.name.toLowerCase(), label);
  }
}
