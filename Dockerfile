# A static program in an empty image. Build and run:
#   docker build -t finsvc .
#   docker run -d --name finsvc -p 127.0.0.1:7117:7117 -v finsvc:/data finsvc
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH TARGETVARIANT
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH GOARM=${TARGETVARIANT#v} \
    go build -trimpath -ldflags='-s -w' -o /out/finsvc . && mkdir /out/data

FROM scratch
COPY --from=build /out/finsvc /finsvc
# A new volume takes over the owner of the folder.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
VOLUME /data
ENV PATH=/ FINSVC_DATA=/data/finance.db FINSVC_LISTEN=:7117
EXPOSE 7117
STOPSIGNAL SIGTERM
ENTRYPOINT ["/finsvc"]
CMD ["serve"]
