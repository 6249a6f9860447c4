export {
  httpUrl,
  type McpServerConfig,
  mcpServersSchema,
  runCommandSchema,
  seconds,
  variableName,
} from './schemas.ts';
