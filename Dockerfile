# A static program in an empty image. Build and run:
#   docker build -t finsvc .
#   docker run -d --name finsvc -p 127.0.0.1:7117:7117 -v finsvc:/data --read-only finsvc
# For other machines: docker buildx build --platform linux/amd64,linux/arm64,linux/arm/v7,linux/arm/v6,linux/riscv64 .
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH TARGETVARIANT
# With .git here the program knows its version.
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH GOARM=${TARGETVARIANT#v} \
    go build -trimpath -ldflags='-s -w' -o /out/finsvc . && mkdir /out/data

FROM scratch
LABEL org.opencontainers.image.title="finsvc" \
      org.opencontainers.image.description="A household's books, served over HTTP: one program, one file"
# Certificates for what the household configures: a provider of models, prices. Time zones are in the program.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/finsvc /finsvc
# A new volume takes over the owner of the folder.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
VOLUME /data
ENV PATH=/ FINSVC_DATA=/data/finance.db FINSVC_LISTEN=:7117
EXPOSE 7117
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/finsvc", "health"]
ENTRYPOINT ["/finsvc"]
CMD ["serve"]
