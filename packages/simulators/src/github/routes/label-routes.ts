import { z } from 'zod';
import { created, noContent, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import {
  type Needs,
  onRepository,
  onThread,
  type RepositoryCall,
  reads,
  type ThreadCall,
  viewerOf,
  writes,
} from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import {
  addLabels,
  clearLabels,
  createLabel,
  deleteLabel,
  editLabel,
  findLabel,
  removeLabel,
  setLabels,
} from '../state/labels.ts';
import type { Label } from '../state/model.ts';
import { validationFailed } from '../state/refusal.ts';
import { showLabel } from '../views/label-view.ts';

const labels = '/repos/{owner}/{repo}/labels';
const threadLabels = '/repos/{owner}/{repo}/issues/{issue_number}/labels';
const docs = 'issues/labels';
const reading = reads('issues', 'pull_requests');
const editing: Needs = { ...writes('issues', 'pull_requests'), role: 'write' };
const labeling: Needs = { ...writes('issues', 'pull_requests'), role: 'triage' };

/** Labels of a repository, and those on a thread. */
export const labelRoutes: readonly Route[] = [
  route(`GET ${labels}`, `${docs}#list-labels-for-a-repository`, onRepository(reading, listLabels)),
  route(`POST ${labels}`, `${docs}#create-a-label`, onRepository(editing, makeLabel)),
  route(
    `GET ${labels}/{name}`,
    `${docs}#get-a-label`,
    onRepository(reading, (call) => ok(show(call, labelOf(call)))),
  ),
  route(`PATCH ${labels}/{name}`, `${docs}#update-a-label`, onRepository(editing, changeLabel)),
  route(`DELETE ${labels}/{name}`, `${docs}#delete-a-label`, onRepository(editing, dropLabel)),
  route(
    `GET ${threadLabels}`,
    `${docs}#list-labels-for-an-issue`,
    onThread(reading, (call) => paged(call, [...call.thread.labels.values()], (label) => show(call, label))),
  ),
  route(`POST ${threadLabels}`, `${docs}#add-labels-to-an-issue`, onThread(labeling, addToThread)),
  route(`PUT ${threadLabels}`, `${docs}#set-labels-for-an-issue`, onThread(labeling, setOnThread)),
  route(`DELETE ${threadLabels}`, `${docs}#remove-all-labels-from-an-issue`, onThread(labeling, clearThread)),
  route(
    `DELETE ${threadLabels}/{name}`,
    `${docs}#remove-a-label-from-an-issue`,
    onThread(labeling, removeFromThread),
  ),
];

const creation = z.object({
  name: z.string().optional(),
  color: z.string().optional(),
  description: z.string().nullish(),
});
const change = z.object({
  new_name: z.string().optional(),
  color: z.string().optional(),
  description: z.string().nullish(),
});
const name = z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]);
const names = z.union([z.array(name), z.object({ labels: z.array(name) }).transform((body) => body.labels)]);

function listLabels(call: RepositoryCall): Answer {
  return paged(call, [...call.repository.labels.values()], (label) => show(call, label));
}

function makeLabel(call: RepositoryCall): Answer {
  const label = bodyOf(call, creation);
  if (label.name === undefined)
    throw validationFailed({ resource: 'Label', code: 'missing_field', field: 'name' });
  return created(show(call, createLabel(call.state, call.repository, { ...label, name: label.name })));
}

function changeLabel(call: RepositoryCall): Answer {
  const label = labelOf(call);
  const { new_name: newName, ...rest } = bodyOf(call, change);
  editLabel(call.repository, label, { ...rest, name: newName });
  return ok(show(call, label));
}

function dropLabel(call: RepositoryCall): Answer {
  deleteLabel(call.repository, labelOf(call));
  return noContent();
}

function addToThread(call: ThreadCall): Answer {
  addLabels(call.state, call.thread, { names: bodyOf(call, names), by: viewerOf(call) });
  return ok(showAll(call));
}

function setOnThread(call: ThreadCall): Answer {
  setLabels(call.state, call.thread, { names: bodyOf(call, names), by: viewerOf(call) });
  return ok(showAll(call));
}

function clearThread(call: ThreadCall): Answer {
  clearLabels(call.state, call.thread, { by: viewerOf(call) });
  return noContent();
}

function removeFromThread(call: ThreadCall): Answer {
  removeLabel(call.state, call.thread, { name: parameter(call, 'name'), by: viewerOf(call) });
  return ok(showAll(call));
}

function labelOf(call: RepositoryCall): Label {
  return findLabel(call.repository, parameter(call, 'name'));
}

function show(call: RepositoryCall, label: Label) {
  return showLabel(call.repository, label, call.urls);
}

function showAll(call: ThreadCall) {
  return [...call.thread.labels.values()].map((label) => show(call, label));
}
