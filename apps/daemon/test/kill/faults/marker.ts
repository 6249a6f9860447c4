/** How a run's comments are marked: its id and the topic; what else stands in the marker is its own business. */
export const markerOf = /<!-- agent-comment: run:([0-9a-f-]{36}):(\w+)/;
