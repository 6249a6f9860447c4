import type { LabelSchema } from '@gitbeaker/core';
import type { Label, Project } from '../state/model.ts';
import type { Vendor } from '../vendor.ts';

/** A label; with counts when they are asked for. */
export function showLabel(
  label: Label,
): Vendor<
  Pick<
    LabelSchema,
    'id' | 'name' | 'color' | 'text_color' | 'description' | 'subscribed' | 'is_project_label'
  >,
  { readonly description_html: string | null; readonly archived: boolean; readonly priority: null }
> {
  const { id, name, color, description } = label;
  return {
    id,
    name,
    description,
    description_html: description,
    text_color: '#FFFFFF',
    color,
    archived: false,
    subscribed: false,
    priority: null,
    is_project_label: true,
  };
}

/** Counts the open threads that carry a label. */
export function countLabel(project: Project, label: Label) {
  const count = (threads: typeof project.issues, isOpen: boolean) =>
    [...threads.values()].filter(
      ({ labels, state }) => labels.has(label.name) && (state === 'opened') === isOpen,
    ).length;
  return {
    open_issues_count: count(project.issues, true),
    closed_issues_count: count(project.issues, false),
    open_merge_requests_count: count(project.mergeRequests, true),
  };
}
