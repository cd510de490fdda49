/** A GraphQL answer with an error, as it looks; a test holds it against the interface description. */
export const errorAnswerSnippet = (): string => `{
  "data": null,
  "errors": [
    {
      "message": "The token lacks a scope this needs.",
      "path": ["projects"],
      "extensions": {
        "code": "INSUFFICIENT_SCOPE",
        "requiredScope": "project:viewer",
        "traceId": "3d2f0b1c9e8a4f6f8d5e"
      }
    }
  ],
  "extensions": { "traceId": "3d2f0b1c9e8a4f6f8d5e" }
}
`
