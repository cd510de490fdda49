/** Exports a month of a workspace's audit log. @param baseUrl the service's origin */
export const auditExportSnippet = (baseUrl: string): string =>
  `curl --fail --remote-name --remote-header-name \\
  -H "Authorization: Bearer $API_TOKEN" \\
  "${baseUrl}/audit-log/export?workspaceId=$WORKSPACE_ID&format=ndjson&since=2026-11-01&until=2026-11-30"
`

/** What a stream sends; a test holds its fields against those that are sent. */
export const auditEventSnippet = (): string => `[
  {
    "id": "0199a3f1-9d02-7b40-8c11-3a5b7c9d1e2f",
    "createdAt": "2026-11-21T09:30:00.000Z",
    "action": "project.created",
    "actorKind": "session",
    "userId": "0199a3ef-11aa-7d3c-8e21-5b4a3c2d1e0f",
    "userName": "Ada Lovelace",
    "actorId": null,
    "actorName": null,
    "resourceType": "project",
    "resourceId": "0199a3f1-8c44-7a02-b1c7-2e9f5d6a7b80",
    "resourceName": "Website",
    "projectName": null,
    "workspaceId": "0199a3f0-2f6b-7c1e-9d54-6f0b8d1c2a3e",
    "workspaceSlug": "acme",
    "workspaceName": "Acme",
    "ip": "203.0.113.7",
    "userAgent": "Mozilla/5.0",
    "details": { "name": "Website" }
  }
]
`
