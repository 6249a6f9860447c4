import type { LabelChange } from '../../shared/label-change.ts';
import { takeId, timestamp } from './create-state.ts';
import type { Label, Project, State, Thread, User } from './model.ts';
import { addSystemNote } from './notes.ts';
import { invalidRecord, notFound, refuse } from './refusal.ts';

/** Color of a label that came into being by being put on an issue. */
const defaultColor = '#6699cc';
const maxNameCharacters = 255;

/** Makes a label. @throws {Refusal} 409 "Label already exists", 400 for a wrong name or color */
export function createLabel(
  state: State,
  project: Project,
  label: LabelChange & { readonly name: string },
): Label {
  if (project.labels.has(label.name)) throw refuse(409, 'Label already exists');
  checkLabel(label);
  const created: Label = {
    id: takeId(state),
    name: label.name,
    color: normalizeColor(label.color ?? defaultColor),
    description: label.description ?? null,
  };
  project.labels.set(created.name, created);
  return created;
}

/** Renames or recolors a label; threads that carry it follow. @throws {Refusal} 400 */
export function editLabel(project: Project, label: Label, change: LabelChange): void {
  checkLabel(change);
  const isTaken = change.name !== undefined && change.name !== label.name && project.labels.has(change.name);
  if (isTaken) throw invalidRecord({ title: ['has already been taken'] });
  const before = label.name;
  if (change.name !== undefined) label.name = change.name;
  if (change.color !== undefined) label.color = normalizeColor(change.color);
  if (change.description !== undefined) label.description = change.description;
  for (const labels of labelMaps(project)) if (labels.delete(before)) labels.set(label.name, label);
}

/** Deletes a label and takes it off every thread. */
export function deleteLabel(project: Project, label: Label): void {
  for (const labels of labelMaps(project)) labels.delete(label.name);
}

/** The label by its id or name. @throws {Refusal} 404 */
export function findLabel(project: Project, idOrName: string): Label {
  const label =
    project.labels.get(idOrName) ?? [...project.labels.values()].find(({ id }) => String(id) === idOrName);
  if (!label) throw notFound('Label');
  return label;
}

export interface LabelEdit {
  /** Replaces all. */
  readonly set?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/**
 * Changes the labels of a thread, making in the project those that it lacks; removing one that is not there does nothing.
 * Leaves label events, and with `eventsAsNotes` a system note.
 * @see https://docs.gitlab.com/api/issues/#update-an-issue
 */
export function changeLabels(state: State, thread: Thread, edit: LabelEdit & { readonly by: User }): void {
  const before = new Set(thread.labels.values());
  const wanted = new Map(
    [...(edit.set ? edit.set.map((name) => ensureLabel(state, thread.project, name)) : before)].map(
      (label) => [label.name, label],
    ),
  );
  for (const name of edit.add ?? []) {
    const label = ensureLabel(state, thread.project, name);
    wanted.set(label.name, label);
  }
  for (const name of edit.remove ?? []) wanted.delete(name.trim());
  thread.labels.clear();
  for (const [name, label] of wanted) thread.labels.set(name, label);
  const after = new Set(wanted.values());
  record(state, thread, {
    by: edit.by,
    added: [...after].filter((label) => !before.has(label)),
    removed: [...before].filter((label) => !after.has(label)),
  });
}

function ensureLabel(state: State, project: Project, text: string): Label {
  const name = text.trim();
  return project.labels.get(name) ?? createLabel(state, project, { name });
}

function record(
  state: State,
  thread: Thread,
  change: { readonly by: User; readonly added: readonly Label[]; readonly removed: readonly Label[] },
): void {
  const { by: user, added, removed } = change;
  const push = (action: 'add' | 'remove', label: Label) =>
    thread.events.push({
      id: takeId(state),
      user,
      createdAt: timestamp(state),
      kind: 'label',
      action,
      label,
    });
  for (const label of added) push('add', label);
  for (const label of removed) push('remove', label);
  if (added.length + removed.length === 0) return;
  thread.updatedAt = timestamp(state);
  if (!state.eventsAsNotes) return;
  const parts = [
    ...(added.length > 0 ? [`added ${references(added)}`] : []),
    ...(removed.length > 0 ? [`removed ${references(removed)}`] : []),
  ];
  const noun = added.length + removed.length === 1 ? 'label' : 'labels';
  addSystemNote(state, thread, { author: user, body: `${parts.join(' and ')} ${noun}` });
}

function references(labels: readonly Label[]): string {
  return labels.map(({ id }) => `~${id}`).join(' ');
}

function checkLabel({ name, color }: LabelChange): void {
  if (name !== undefined && name.trim() === '') throw invalidRecord({ title: ["can't be blank"] });
  if (name !== undefined && [...name].length > maxNameCharacters) {
    throw invalidRecord({ title: [`is too long (maximum is ${maxNameCharacters} characters)`] });
  }
  if (name?.includes(',')) throw invalidRecord({ title: ['is invalid'] });
  if (color !== undefined && !/^(#[0-9a-f]{3}([0-9a-f]{3})?|[a-z]+)$/i.test(color)) {
    throw invalidRecord({ color: ['must be a valid color code'] });
  }
}

function normalizeColor(color: string): string {
  const [, short] = /^#([0-9a-f]{3})$/i.exec(color) ?? [];
  return short ? `#${[...short].map((digit) => digit + digit).join('')}` : color;
}

function labelMaps(project: Project): Map<string, Label>[] {
  const threads = [...project.issues.values(), ...project.mergeRequests.values()];
  return [project.labels, ...threads.map(({ labels }) => labels)];
}
