export {
  type EnvironmentEntry,
  environmentsSchema,
  listRegistryVariables,
} from './environment-schemas.ts';
export {
  httpUrl,
  type McpServerConfig,
  mcpServersSchema,
  runCommandSchema,
  seconds,
  variableName,
} from './schemas.ts';
