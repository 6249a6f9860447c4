import { z } from 'zod';
import { boolean, filled, inputOf } from '../http/input.ts';
import { paged } from '../http/pagination.ts';
import { authenticated, onProject, type ProjectCall, requireLevel } from '../http/requirements.ts';
import { type Answer, created, noContent, ok, parameter, type Route, route } from '../http/route.ts';
import { accessLevels } from '../state/access.ts';
import { createLabel, deleteLabel, editLabel, findLabel } from '../state/labels.ts';
import type { Label } from '../state/model.ts';
import { badParameters } from '../state/refusal.ts';
import { countLabel, showLabel } from '../views/label-view.ts';

const labels = '/projects/{id}/labels';

/** Labels of a project. @see https://docs.gitlab.com/api/labels/ */
export const labelRoutes: readonly Route[] = [
  route(`GET ${labels}`, authenticated(onProject(listLabels))),
  route(`POST ${labels}`, authenticated(onProject(makeLabel))),
  route(`GET ${labels}/{name}`, authenticated(onProject((call) => ok(showLabel(labelOf(call)))))),
  route(`PUT ${labels}/{name}`, authenticated(onProject(changeLabel))),
  route(`DELETE ${labels}/{name}`, authenticated(onProject(dropLabel))),
];

const listing = z.object({ with_counts: boolean.default(false), search: z.string().optional() });
const creation = z.object({ name: filled, color: filled, description: z.string().nullish() });
const change = z.object({
  new_name: z.string().optional(),
  color: z.string().optional(),
  description: z.string().nullish(),
});

function listLabels(call: ProjectCall): Answer {
  const { with_counts: withCounts, search } = inputOf(call, listing);
  const found = [...call.project.labels.values()]
    .filter(({ name }) => !search || name.toLowerCase().includes(search.toLowerCase()))
    .sort((one, other) => one.name.localeCompare(other.name));
  const show = (label: Label) => ({
    ...showLabel(label),
    ...(withCounts ? countLabel(call.project, label) : {}),
  });
  return paged(call, found, { show });
}

function makeLabel(call: ProjectCall): Answer {
  requireLevel(call, accessLevels.planner);
  return created(showLabel(createLabel(call.state, call.project, inputOf(call, creation))));
}

function changeLabel(call: ProjectCall): Answer {
  requireLevel(call, accessLevels.planner);
  const { new_name: name, color, description } = inputOf(call, change);
  if (name === undefined && color === undefined && description === undefined) {
    throw badParameters('new_name, color, description are missing, at least one parameter must be provided');
  }
  const label = labelOf(call);
  editLabel(call.project, label, { name, color, description });
  return ok(showLabel(label));
}

function dropLabel(call: ProjectCall): Answer {
  requireLevel(call, accessLevels.planner);
  deleteLabel(call.project, labelOf(call));
  return noContent();
}

function labelOf(call: ProjectCall): Label {
  return findLabel(call.project, parameter(call, 'name'));
}
